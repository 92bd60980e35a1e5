import test from 'ava';
import { messagesOf, told } from './a-page.ts';
import { anOperatorPage } from './an-operator-page.ts';

test('a user sees the workspaces of namespaces that may be listed, and changes nothing', async (t) => {
  const { address, token } = await anOperatorPage(t);
  const headers = { authorization: `Bearer ${token}` };

  const messages = messagesOf(await fetch(`${address}/api/live?workspace=team-b%2Fshop`, { headers }));
  t.like(await told(messages, 'session'), { mode: 'run', controls: [], plans: false });
  t.is(await told(messages, 'workspace'), null, 'as if it were not there');
  const rows = await told(messages, 'rows');
  t.deepEqual(
    rows.changed.map(({ key }) => key),
    ['team-a/shop'],
  );
  await messages.return(undefined);
  const own = messagesOf(await fetch(`${address}/api/live?workspace=team-a%2Fshop`, { headers }));
  t.like(await told(own, 'workspace'), { key: 'team-a/shop', events: undefined }, 'events need a right of their own');
  await own.return(undefined);
  for (const action of ['plan', 'control/kill', 'control/wipe-status'])
    t.is((await fetch(`${address}/api/${action}`, { method: 'POST', headers })).status, 404);
  t.is((await fetch(`${address}/api/live`, { headers: { authorization: 'Bearer no-token-of-this' } })).status, 401);
});
