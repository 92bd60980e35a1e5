import test from 'ava';
import { expiryIn, withExpiry } from '../../../../integrations/s3/lifecycle.ts';

const other = { ID: 'other', Status: 'Enabled' as const, Filter: { Prefix: 'logs/' }, Expiration: { Days: 1 } };

test('the own rule is set, changed and removed among those of others', (t) => {
  const three = withExpiry([other], 3);
  t.deepEqual([three.length, three[0], expiryIn(three)], [2, other, 3]);
  const seven = withExpiry(three, 7);
  t.deepEqual([seven.length, expiryIn(seven)], [2, 7]);
  t.deepEqual(withExpiry(seven, 0), [other]);
  t.is(expiryIn([other]), 0);
});

test('a rule that was disabled, or is for some objects only, is not the one that was set', (t) => {
  const [own] = withExpiry([], 3);
  for (const Filter of [{ Prefix: 'a' }, { Tag: { Key: 'a', Value: 'b' } }, { And: { Prefix: 'a' } }])
    t.is(expiryIn([{ ...own!, Filter }]), 0);
  t.is(expiryIn([{ ...own!, Status: 'Disabled' }]), 0);
  t.is(expiryIn([{ ...own!, Expiration: {} }]), 0);
});
