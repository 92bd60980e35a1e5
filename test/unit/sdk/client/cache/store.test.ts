import test from 'ava';
import fc from 'fast-check';
import type { ConfigMap } from '../../../../../sdk/api/kinds.ts';
import { keyOf } from '../../../../../sdk/api/object.ts';
import { type Change, Store } from '../../../../../sdk/client/cache/store.ts';

interface Identity {
  readonly name?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly version: number;
}

const aConfigMap = ({ name = 'a', namespace = 'n', uid = 'u1', version }: Identity, data?: object): ConfigMap =>
  ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace, uid, resourceVersion: String(version), managedFields: [{ manager: 'm' }] },
    ...(data && { data }),
  }) as ConfigMap;
const told = (changes: readonly Change<ConfigMap>[]) =>
  changes.map(
    ({ type, object }) => `${type} ${object.metadata.name} ${object.metadata.uid}@${object.metadata.resourceVersion}`,
  );

test('keeps objects frozen and without managedFields', (t) => {
  const store = new Store<ConfigMap>();
  const sent = aConfigMap({ version: 1 }, { x: '1' });
  store.apply('ADDED', sent);
  const kept = store.get({ namespace: 'n', name: 'a' });
  t.is(kept?.metadata.managedFields, undefined);
  t.truthy(sent.metadata.managedFields);
  t.throws(() => Object.assign(kept?.data as object, { x: '2' }), { instanceOf: TypeError });
  t.throws(() => Object.assign(kept?.metadata as object, { name: 'b' }), { instanceOf: TypeError });
});

test('keeps what the projection leaves, which must not touch the identity', (t) => {
  const slim = new Store<ConfigMap>({ project: ({ data: _, ...rest }) => rest });
  slim.apply('ADDED', aConfigMap({ version: 1 }, { x: '1' }));
  t.is(slim.get({ namespace: 'n', name: 'a' })?.data, undefined);
  const broken = new Store<ConfigMap>({
    project: (object) => ({ ...object, metadata: { name: 'a', namespace: 'n' } }),
  });
  t.throws(() => broken.apply('ADDED', aConfigMap({ version: 1 })), {
    instanceOf: TypeError,
    message: 'the projection of ConfigMap n/a must keep metadata.uid',
  });
});

test('tells each change once', (t) => {
  const store = new Store<ConfigMap>();
  t.deepEqual(told(store.apply('ADDED', aConfigMap({ version: 1 }))), ['added a u1@1']);
  t.deepEqual(told(store.apply('ADDED', aConfigMap({ version: 1 }))), []);
  t.deepEqual(told(store.apply('MODIFIED', aConfigMap({ version: 2 }))), ['updated a u1@2']);
  t.deepEqual(told(store.apply('DELETED', aConfigMap({ version: 3 }))), ['deleted a u1@3']);
  t.deepEqual(told(store.apply('DELETED', aConfigMap({ version: 3 }))), []);
});

test('compares versions as integers', (t) => {
  const store = new Store<ConfigMap>();
  store.apply('ADDED', aConfigMap({ version: 9 }));
  t.deepEqual(told(store.apply('MODIFIED', aConfigMap({ version: 10 }))), ['updated a u1@10']);
  t.deepEqual(told(store.apply('MODIFIED', aConfigMap({ version: 9 }))), []);
  const huge = { ...aConfigMap({ version: 0 }) };
  t.deepEqual(
    told(store.apply('MODIFIED', { ...huge, metadata: { ...huge.metadata, resourceVersion: '9007199254740993' } })),
    ['updated a u1@9007199254740993'],
  );
  t.deepEqual(
    told(store.apply('MODIFIED', { ...huge, metadata: { ...huge.metadata, resourceVersion: '9007199254740992' } })),
    [],
  );
});

test('takes versions that are not integers as they come', (t) => {
  const store = new Store<ConfigMap>();
  const at = (resourceVersion: string, name: string) => {
    const object = aConfigMap({ version: 1, name });
    return { ...object, metadata: { ...object.metadata, resourceVersion } };
  };
  t.deepEqual(told(store.apply('ADDED', at('b-7', 'a'))), ['added a u1@b-7']);
  t.deepEqual(told(store.apply('MODIFIED', at('a-1', 'a'))), ['updated a u1@a-1']);
  t.deepEqual(told(store.apply('ADDED', at('a-1', 'b'))), ['added b u1@a-1']);
});

test('does not bring a deleted object back by a late event', (t) => {
  const store = new Store<ConfigMap>();
  store.apply('ADDED', aConfigMap({ version: 1 }));
  store.apply('DELETED', aConfigMap({ version: 3 }));
  t.deepEqual(store.apply('MODIFIED', aConfigMap({ version: 2 })), []);
  t.is(store.size, 0);
});

test('tells an object that was made again under its name as a deletion and an addition', (t) => {
  const store = new Store<ConfigMap>();
  store.apply('ADDED', aConfigMap({ version: 1 }));
  t.deepEqual(told(store.apply('ADDED', aConfigMap({ version: 5, uid: 'u2' }))), ['deleted a u1@1', 'added a u2@5']);
  t.deepEqual(store.apply('DELETED', aConfigMap({ version: 4 })), [], 'the end of the first one comes late');
  t.is(store.get({ namespace: 'n', name: 'a' })?.metadata.uid, 'u2');
});

test('tells after a list what was deleted meanwhile, with the last known state', (t) => {
  const store = new Store<ConfigMap>();
  store.apply('ADDED', aConfigMap({ version: 1, name: 'a' }));
  store.apply('ADDED', aConfigMap({ version: 2, name: 'b', uid: 'u2' }));
  store.apply('ADDED', aConfigMap({ version: 3, name: 'c', uid: 'u3' }));
  const relist = store.relist();
  relist.add(aConfigMap({ version: 2, name: 'b', uid: 'u2' }));
  relist.add(aConfigMap({ version: 9, name: 'c', uid: 'u4' }));
  t.is(store.size, 3, 'nothing shows before the list is complete');
  t.deepEqual(told(relist.commit('10')), ['deleted a u1@1', 'deleted c u3@3', 'added c u4@9']);
  t.is(store.version, '10');
});

test('finds objects by namespace, by owner and by indexes of its own', (t) => {
  const store = new Store<ConfigMap>({
    indexes: { colour: ({ data }) => (data?.colour === undefined ? [] : [data.colour]) },
  });
  const owned = aConfigMap({ version: 1, name: 'a' }, { colour: 'red' });
  const ownerReferences = [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'owner-1' }];
  store.apply('ADDED', { ...owned, metadata: { ...owned.metadata, ownerReferences } });
  store.apply('ADDED', aConfigMap({ version: 2, name: 'b', namespace: 'm' }, { colour: 'blue' }));
  const names = (found: readonly ConfigMap[]) => found.map(({ metadata }) => metadata.name);
  t.deepEqual(names(store.list()), ['a', 'b']);
  t.deepEqual(names(store.list('m')), ['b']);
  t.deepEqual(names(store.by('owner', 'owner-1')), ['a']);
  t.deepEqual(names(store.by('colour', 'red')), ['a']);
  store.apply('MODIFIED', aConfigMap({ version: 3, name: 'a' }, { colour: 'blue' }));
  t.deepEqual(names(store.by('owner', 'owner-1')), []);
  t.deepEqual(names(store.by('colour', 'red')), []);
  t.deepEqual(names(store.by('colour', 'blue')), ['b', 'a']);
  store.apply('DELETED', aConfigMap({ version: 4, name: 'b', namespace: 'm' }));
  t.deepEqual(names(store.list('m')), []);
  t.throws(() => store.by('color', 'x'), { message: 'no index "color"; known are namespace, owner, colour' });
});

/** A server's history: each revision creates, changes or deletes one of a few objects. */
const history = fc.array(fc.record({ name: fc.constantFrom('a', 'b', 'c'), remove: fc.boolean() }), { maxLength: 25 });
/** A client's observation of it: that many `watch` events, a `list`, or a watch started `again` some revisions back. */
const hearing = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('watch' as const), events: fc.integer({ min: 1, max: 6 }) }),
    fc.record({ do: fc.constant('list' as const), at: fc.nat(25) }),
    fc.record({ do: fc.constant('again' as const), back: fc.nat(8) }),
  ),
  { maxLength: 15 },
);

test('whatever is heard in whatever way: it never goes back and ends up like the server', (t) => {
  fc.assert(
    fc.property(history, hearing, (steps, heard) => {
      const worlds: ReadonlyMap<string, ConfigMap>[] = [new Map()];
      const events = steps.flatMap(({ name, remove }, index) => {
        const world = new Map(worlds.at(-1));
        const known = world.get(name);
        const version = index + 1;
        const object = aConfigMap({ name, version, uid: known?.metadata.uid ?? `uid-${version}` });
        if (remove) world.delete(name);
        else world.set(name, object);
        worlds.push(world);
        const type = known === undefined ? 'ADDED' : remove ? 'DELETED' : 'MODIFIED';
        return remove && known === undefined ? [] : [{ version, type, object } as const];
      });
      const store = new Store<ConfigMap>();
      const mirror = new Map<string, ConfigMap>();
      const newest = new Map<string, number>();
      let from = 0;
      const take = (changes: readonly Change<ConfigMap>[]) => {
        for (const { type, key, object, previous } of changes) {
          t.is(mirror.has(key), type !== 'added', `${type} ${key}`);
          t.is(previous?.metadata.resourceVersion, mirror.get(key)?.metadata.resourceVersion);
          const version = Number(object.metadata.resourceVersion);
          t.true(version >= (newest.get(key) ?? 0), `${key} went back from ${newest.get(key)} to ${version}`);
          newest.set(key, version);
          if (type === 'deleted') mirror.delete(key);
          else mirror.set(key, object);
        }
      };
      const list = (version: number) => {
        const relist = store.relist();
        for (const object of worlds[version]?.values() ?? []) relist.add(object);
        if (relist.isOlder(String(version))) return;
        take(relist.commit(String(version)));
        from = version;
      };
      for (const step of heard) {
        if (step.do === 'list') list(Math.min(step.at, steps.length));
        else if (step.do === 'again') from = Math.max(0, from - step.back);
        else
          for (const event of events.filter(({ version }) => version > from).slice(0, step.events)) {
            take(store.apply(event.type, event.object));
            from = event.version;
          }
      }
      for (const event of events.filter(({ version }) => version > from)) take(store.apply(event.type, event.object));
      const versions = (objects: Iterable<ConfigMap>) =>
        [...objects].map(({ metadata }) => `${keyOf(metadata)} ${metadata.uid}@${metadata.resourceVersion}`).sort();
      t.deepEqual(versions(store.list()), versions(worlds.at(-1)?.values() ?? []));
      t.deepEqual(versions(mirror.values()), versions(store.list()));
    }),
    { numRuns: 300 },
  );
});

test('takes over what was read at the same version with another content, and nothing else', (t) => {
  const store = new Store<ConfigMap>();
  store.apply('ADDED', aConfigMap({ version: 5 }, { x: '1' }));
  t.deepEqual(store.correct(aConfigMap({ version: 5 }, { x: '1' })), [], 'the same');
  for (const [what, other] of [
    ['older', aConfigMap({ version: 4 }, { x: '2' })],
    ['newer: the watch shows it', aConfigMap({ version: 6 }, { x: '2' })],
    ['recreated', aConfigMap({ version: 5, uid: 'u2' }, { x: '2' })],
    ['unknown', aConfigMap({ version: 5, name: 'b' }, { x: '2' })],
  ] as const)
    t.deepEqual(store.correct(other), [], what);
  t.deepEqual(told(store.correct(aConfigMap({ version: 5 }, { x: '1', y: '2' }))), ['updated a u1@5']);
  t.deepEqual(store.get({ namespace: 'n', name: 'a' })?.data, { x: '1', y: '2' });
});
