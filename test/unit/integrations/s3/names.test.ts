import test from 'ava';
import { bucketName, isNamePrefix } from '../../../../integrations/s3/names.ts';

const owner = { uid: 'uid-1', namespace: 'team-a', workspace: 'shop.pr-7' };

test('a name can be read, and is one that each server takes', (t) => {
  t.regex(bucketName('ws', owner), /^ws-team-a-shop-pr-7-[0-9a-f]{12}$/);
  t.is(bucketName('ws', owner), bucketName('ws', owner));
});

test('workspaces whose names look alike have names of their own, of 63 characters at most', (t) => {
  const cut = { namespace: 'n'.repeat(63), workspace: 'w'.repeat(253) };
  for (const place of [owner, cut]) {
    const names = ['uid-1', 'uid-2'].map((uid) => bucketName('a-prefix-of-16-c', { ...place, uid }));
    t.is(new Set(names).size, 2);
    for (const name of names) t.regex(name, /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/);
  }
});

test('a prefix begins and ends with a letter or digit, and is not a word that AWS has reserved', (t) => {
  for (const prefix of ['ws', '1', 'previews-of-us', 'a'.repeat(16)]) t.true(isNamePrefix(prefix), prefix);
  for (const prefix of ['', '-a', 'a-', 'Ws', 'a.b', 'a_b', 'xn--a', 'xn-', 'sthree', 'amzn-s3-demo', 'a'.repeat(17)])
    t.false(isNamePrefix(prefix), prefix);
});
