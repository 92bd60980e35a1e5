import test from 'ava';
import { accountName, instanceName, isOfClass } from '../../../../sequencer/run/operator-instance.ts';

test('a workspace is of one class, or of none', (t) => {
  const [plain, blue] = [{ spec: {} }, { spec: { className: 'blue' } }];
  t.true(isOfClass(plain, undefined) && isOfClass(blue, 'blue'));
  t.false(isOfClass(plain, 'blue') || isOfClass(blue, undefined) || isOfClass(blue, 'green'));
  t.true(isOfClass({} as never, undefined), 'an object without a spec is of no class');
});

test('accounts are named by class, Leases by class and selector', (t) => {
  t.deepEqual([accountName({}), instanceName({})], ['sequencer', 'sequencer']);
  t.deepEqual(
    [accountName({ className: 'blue' }), instanceName({ className: 'blue' })],
    ['sequencer-blue', 'sequencer-blue'],
  );
  const [gold, silver] = ['tier=gold', 'tier=silver'].map((selector) => instanceName({ className: 'blue', selector }));
  t.regex(gold!, /^sequencer-blue-[0-9a-f]{8}$/);
  t.not(gold, silver);
  const longest = instanceName({ className: 'a'.repeat(40), selector: 'x' });
  t.true(longest.length <= 63, 'a name that is a label too');
});
