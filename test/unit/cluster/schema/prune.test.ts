import test from 'ava';
import fc from 'fast-check';
import { applyDefaults } from '../../../cluster/schema/defaults.ts';
import { dropNulls, prune } from '../../../cluster/schema/prune.ts';
import { aWorkspace } from '../fixtures/a-workspace.ts';

test('unknown fields go, at every depth, and are named in order', (t) => {
  const { value, unknown } = prune(aWorkspace, {
    apiVersion: 'v',
    kind: 'K',
    metadata: { anything: 1 },
    top: 1,
    spec: {
      owner: 'a',
      members: [{ name: 'x', shoe: 44 }],
      settings: { any: [1, { b: null }], strict: { a: '1', b: 2 } },
    },
  });
  t.deepEqual(unknown, ['spec.members[0].shoe', 'spec.settings.strict.b', 'top']);
  t.deepEqual(value, {
    apiVersion: 'v',
    kind: 'K',
    metadata: { anything: 1 },
    spec: { owner: 'a', members: [{ name: 'x' }], settings: { any: [1, { b: null }], strict: { a: '1' } } },
  });
});

test('nothing is copied when nothing is unknown', (t) => {
  const object = { spec: { owner: 'a', tags: { x: 'y' } } };
  t.is(prune(aWorkspace, object).value, object);
  t.is(dropNulls(aWorkspace, object), object);
});

test('nulls go where there is no room for them and no default', (t) => {
  const spec = { owner: null, nickname: null, size: null, settings: { free: null }, tags: { a: null } };
  t.deepEqual(dropNulls(aWorkspace, { spec }), {
    spec: { nickname: null, size: null, settings: { free: null }, tags: {} },
  });
});

test('defaults fill absent members and forbidden nulls, also of items', (t) => {
  t.deepEqual(applyDefaults(aWorkspace, { spec: { size: null, nickname: null, members: [{ name: 'x' }] } }), {
    spec: { size: 'small', nickname: null, members: [{ name: 'x', role: 'viewer' }], replicas: 1 },
  });
  t.deepEqual(applyDefaults(aWorkspace, {}), {}, 'no parents are made up for defaults below them');
  t.deepEqual(
    applyDefaults(
      {
        type: 'object',
        properties: { p: { type: 'object', default: {}, properties: { c: { type: 'string', default: 'y' } } } },
      },
      {},
    ),
    { p: { c: 'y' } },
    'a default is itself completed',
  );
});

const member = fc.record(
  { name: fc.string(), role: fc.option(fc.string()), shoe: fc.jsonValue() },
  { requiredKeys: [] },
);
const anObject = fc.record(
  {
    spec: fc.record(
      {
        owner: fc.jsonValue(),
        size: fc.option(fc.string()),
        members: fc.array(member),
        settings: fc.jsonValue(),
        tags: fc.dictionary(fc.string(), fc.jsonValue()),
        nope: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
    status: fc.jsonValue(),
    other: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

test('pruning is done once and for all', (t) => {
  fc.assert(
    fc.property(anObject, (object) => {
      const once = prune(aWorkspace, object);
      const twice = prune(aWorkspace, once.value);
      t.deepEqual(twice.value, once.value);
      t.deepEqual(twice.unknown, []);
    }),
  );
});

test('defaulting is done once and for all, and leaves its argument alone', (t) => {
  fc.assert(
    fc.property(anObject, (object) => {
      const before = JSON.stringify(object);
      const once = applyDefaults(aWorkspace, object);
      t.deepEqual(applyDefaults(aWorkspace, once), once);
      t.is(JSON.stringify(object), before);
    }),
  );
});
