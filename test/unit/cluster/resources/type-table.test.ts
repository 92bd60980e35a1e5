import test from 'ava';
import { builtinTypes } from '../../../cluster/apis/builtin-types.ts';
import { parseTypes } from '../../../cluster/resources/type-table.ts';

test('a line says everything about a type and its fields', (t) => {
  const types = parseTypes({
    x: {
      package: 'io.example.v2',
      text: 'Thing! object name/1*+:s list/2:[Part]~key^@a,b\n  more/3.4?:{q}=7 seen/5:t zero/6:i= part/7?:Part%\nPart key/1:s',
    },
  });
  const thing = types('x.Thing');
  t.like(thing, { goName: 'Thing', goPackage: 'v2', openapiName: 'io.example.v2.Thing', atomic: true });
  t.deepEqual([...thing.fields.keys()], ['apiVersion', 'kind', 'name', 'list', 'more', 'seen', 'zero', 'part']);
  t.like(thing.fields.get('name'), { required: true, whenEmpty: 'shown', protobuf: '1' });
  t.deepEqual(thing.fields.get('list'), {
    name: 'list',
    type: { is: 'list', of: { is: 'struct', name: 'x.Part' } },
    required: false,
    whenEmpty: 'dropped',
    isPointer: false,
    protobuf: '2',
    retainKeys: true,
    mapKeys: ['a', 'b'],
    mergeKey: 'key',
    listType: 'map',
  });
  t.like(thing.fields.get('more'), { whenEmpty: 'kept', protobuf: '3.4', default: '7' });
  t.is(thing.fields.get('seen')?.whenEmpty, 'shown');
  t.is(thing.fields.get('zero')?.default, '');
  t.deepEqual(thing.defaults, { more: 7 });
  t.true(thing.fields.get('part')?.granular);
});

test('a type has its name in Go and the values of its enum', (t) => {
  const types = parseTypes({
    x: {
      package: 'io.example.v2',
      text: 'Thing how/1:s<Way> many/2:[s<y.Way>] by/3:{<Way>s<Word>} all/4:{q}<List> of/5:s<other.ID>\nWay =|one way|\n  other',
    },
    y: { package: 'io.example.v3', text: 'Part' },
  });
  const typeOf = (field: string) => types('x.Thing').fields.get(field)?.type;
  t.deepEqual(typeOf('how'), {
    is: 'scalar',
    scalar: 'string',
    goName: 'v2.Way',
    enum: ['', 'one way', 'other'],
  });
  t.deepEqual(typeOf('many'), { is: 'list', of: { is: 'scalar', scalar: 'string', goName: 'v3.Way' } });
  t.deepEqual(typeOf('by'), {
    is: 'map',
    keyName: 'v2.Way',
    of: { is: 'scalar', scalar: 'string', goName: 'v2.Word' },
  });
  t.deepEqual(typeOf('all'), { is: 'map', goName: 'v2.List', of: { is: 'scalar', scalar: 'quantity' } });
  t.like(typeOf('of'), { goName: 'other.ID' });
});

test('a type is parsed once, and an unknown one is refused by name', (t) => {
  const types = builtinTypes();
  t.is(types('core.Pod'), types('core.Pod'));
  t.throws(() => types('core.Nope'), { instanceOf: RangeError, message: /core\.Nope/ });
});
