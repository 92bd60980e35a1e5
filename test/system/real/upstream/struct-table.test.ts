import test from 'ava';
import type { GoForm, GoStruct } from './facts.ts';
import { structTable } from './struct-table.ts';

const path = 'k8s.io/api/shop/v1';
const type = (name: string, ...fields: readonly string[]): GoStruct => ({
  package: path,
  name,
  fields: fields.map((field) => ({ name: field, type: { is: 'string' } })),
});
const form = (name: string, ...fields: GoForm['fields']): GoForm => ({ package: path, name, fields });

test('a struct has a line when its order or a name in Go differs from what the published type says', (t) => {
  const types = [
    type('Same', 'a', 'b'),
    type('Turned', 'a', 'b'),
    type('Renamed', 'metadata', 'pdID', 'url'),
    type('Less', 'a', 'b'),
  ];
  const forms = [
    form('Same', { name: 'a', go: 'A' }, { name: 'b', go: 'B' }),
    form('Turned', { name: 'b', go: 'B' }, { name: 'a', go: 'A' }),
    form('Renamed', { name: 'metadata', go: 'ObjectMeta' }, { name: 'pdID', go: 'PdID' }, { name: 'url', go: 'URL' }),
    form('Less', { name: 'a', go: 'A' }, { go: 'Inner' }),
  ];
  t.is(structTable(forms, types), '\nshop.Less a\nshop.Renamed metadata pdID=PdID url\nshop.Turned b a\n');
});
