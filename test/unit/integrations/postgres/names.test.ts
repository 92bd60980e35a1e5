import test from 'ava';
import { databaseName } from '../../../../integrations/postgres/names.ts';

const owner = { uid: 'uid-1', namespace: 'team-a', workspace: 'shop.pr-7' };

test('a name can be read, and has no character that needs quoting', (t) => {
  t.regex(databaseName('ws', owner), /^ws_team_a_shop_pr_7_[0-9a-f]{12}$/);
  t.is(databaseName('ws', owner), databaseName('ws', owner));
});

test('workspaces whose names look alike have names of their own', (t) => {
  const names = [owner, { ...owner, uid: 'uid-2' }].map((one) => databaseName('ws', one));
  t.is(new Set(names).size, 2);
  const cut = { namespace: 'n'.repeat(63), workspace: 'w'.repeat(253) };
  const long = ['uid-1', 'uid-2'].map((uid) => databaseName('a_prefix_of_16_c', { ...cut, uid }));
  t.is(new Set(long).size, 2);
  t.deepEqual(
    long.map((name) => name.length),
    [63, 63],
  );
});
