import test from 'ava';
import { suggestName } from '../../../sdk/suggest.ts';

test('the nearest name is near, or none', (t) => {
  t.is(suggestName('clutser', ['cluster', 'crds', 'run']), 'cluster');
  t.is(suggestName('banana', ['cluster', 'crds', 'run']), undefined);
});
