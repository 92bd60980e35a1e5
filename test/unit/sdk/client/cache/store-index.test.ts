import test from 'ava';
import { StoreIndex } from '../../../../../sdk/client/cache/store-index.ts';

const anObject = (name: string, ...colours: string[]) => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name, labels: Object.fromEntries(colours.map((colour) => [colour, ''])) },
});
type Thing = ReturnType<typeof anObject>;

test('finds an object under each of its values, and follows it when they change', (t) => {
  const index = new StoreIndex<Thing>(({ metadata }) => Object.keys(metadata.labels));
  const before = anObject('a', 'red', 'green');
  const after = anObject('a', 'green', 'blue');
  const other = anObject('b', 'green');
  index.move('a', undefined, before);
  index.move('b', undefined, other);
  t.deepEqual(index.find('red'), [before]);
  t.deepEqual(index.find('green'), [before, other]);
  index.move('a', before, after);
  t.deepEqual(index.find('red'), []);
  t.deepEqual(index.find('green'), [other, after]);
  t.deepEqual(index.find('blue'), [after]);
  index.move('a', after, undefined);
  t.deepEqual(index.find('blue'), []);
  t.deepEqual(index.find('green'), [other]);
});
