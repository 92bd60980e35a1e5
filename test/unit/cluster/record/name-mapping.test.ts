import test from 'ava';
import { NameMapping } from '../../../cluster/record/name-mapping.ts';

test('a generated name is put in place of the recorded one with all of its characters', (t) => {
  const names = new NameMapping();
  const recorded = { generateName: 'a$&', name: 'a$&x7k2p' };
  t.deepEqual([...names.differences(recorded, { generateName: 'a$&', name: 'a$&q9w8e' }, '.metadata')], []);
  t.is(names.inText('roles/a$&x7k2p'), 'roles/a$&q9w8e');
});
