import test from 'ava';
import { checkedTimes } from '../../../../../sdk/operator/leader-election/leader-times.ts';

test('the default times are those of client-go', (t) => {
  t.deepEqual(checkedTimes({}), { leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2_000 });
});

test('times that contradict each other are refused', (t) => {
  const refused = (times: object, message: RegExp) =>
    t.throws(() => checkedTimes(times), { instanceOf: TypeError, message });
  refused({ leaseDuration: 10_000 }, /leaseDuration \(10000\) must be more than renewDeadline \(10000\)/);
  refused({ renewDeadline: 2300 }, /renewDeadline \(2300\) must be more than retryPeriod with its jitter \(2400\)/);
  refused({ retryPeriod: 0 }, /retryPeriod must be more than 0 ms/);
  refused({ leaseDuration: 900, renewDeadline: 500, retryPeriod: 100 }, /at least 1000 ms/);
});
