import test from 'ava';
import { Sightings } from '../../../sdk/provider/sightings.ts';
import { createManualClock } from '../../cluster/manual-clock.ts';

test('time counts from when something was first seen as it is, on our own clock', async (t) => {
  const clock = createManualClock();
  const sightings = new Sightings(clock);
  t.is(sightings.unmovedFor('shop', 'DNS', 'a'), 0);
  await clock.advance(500);
  t.is(sightings.unmovedFor('shop', 'DNS', 'a'), 500);
  t.is(sightings.unmovedFor('shop', 'Mail', 'a'), 0);
  t.is(sightings.unmovedFor('shop', 'DNS', 'b'), 0, 'it moved');
  await clock.advance(500);
  t.is(sightings.unmovedFor('shop', 'DNS', 'a'), 0, 'and moved back');
});

test('what is forgotten is seen anew', async (t) => {
  const clock = createManualClock();
  const sightings = new Sightings(clock);
  sightings.unmovedFor('shop', 'DNS', 'a');
  await clock.advance(500);
  sightings.forget('shop');
  t.is(sightings.unmovedFor('shop', 'DNS', 'a'), 0);
});
