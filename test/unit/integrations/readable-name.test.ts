import test from 'ava';
import { readableName } from '../../../integrations/readable-name.ts';

const owner = { uid: 'uid-1', namespace: 'team-a', workspace: 'Shop.pr-7' };

test('names stay as they are from release to release, since they find what was made', (t) => {
  t.is(readableName('ws', owner, '_'), 'ws_team_a_shop_pr_7_4a49acf8a6bd');
  t.is(readableName('ws', owner, '-'), 'ws-team-a-shop-pr-7-4a49acf8a6bd');
});

test('a long name is cut before its hash', (t) => {
  const name = readableName('ws', { ...owner, namespace: 'n'.repeat(63) }, '-');
  t.is(name.length, 63);
  t.regex(name, /^ws-n{47}-[0-9a-f]{12}$/);
});
