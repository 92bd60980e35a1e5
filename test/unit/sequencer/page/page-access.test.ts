import test from 'ava';
import { accessByToken, newToken } from '../../../../sequencer/page/page-access.ts';

test('the token admits to everything, and nothing else does', async (t) => {
  const token = newToken();
  const access = accessByToken(token);
  const viewer = await access.admit(token);
  t.true(await viewer?.mayList('anywhere'));
  t.true(await viewer?.mayListEvents('anywhere'));
  for (const wrong of ['', `${token}x`, token.slice(1), newToken()]) t.is(await access.admit(wrong), undefined);
});
