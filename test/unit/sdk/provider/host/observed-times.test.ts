import test from 'ava';
import { ObservedTimes } from '../../../../../sdk/provider/host/observed-times.ts';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';

test('time counts from when something was first seen as it is, on our own clock', async (t) => {
  const clock = createManualClock();
  const observedTimes = new ObservedTimes(clock);
  t.is(observedTimes.unchangedFor('shop', 'DNS', 'a'), 0);
  await clock.advance(500);
  t.is(observedTimes.unchangedFor('shop', 'DNS', 'a'), 500);
  t.is(observedTimes.unchangedFor('shop', 'Mail', 'a'), 0);
  t.is(observedTimes.unchangedFor('shop', 'DNS', 'b'), 0, 'it moved');
  await clock.advance(500);
  t.is(observedTimes.unchangedFor('shop', 'DNS', 'a'), 0, 'and moved back');
});

test('what is forgotten is seen anew', async (t) => {
  const clock = createManualClock();
  const observedTimes = new ObservedTimes(clock);
  observedTimes.unchangedFor('shop', 'DNS', 'a');
  await clock.advance(500);
  observedTimes.forget('shop');
  t.is(observedTimes.unchangedFor('shop', 'DNS', 'a'), 0);
});
