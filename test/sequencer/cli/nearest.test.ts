import test from 'ava';
import { nearest } from '../../../sequencer/cli/nearest.ts';

test('the nearest name is near, or none', (t) => {
  t.is(nearest('clutser', ['cluster', 'crds', 'run']), 'cluster');
  t.is(nearest('banana', ['cluster', 'crds', 'run']), undefined);
});
