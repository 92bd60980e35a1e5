import test from 'ava';
import { defineIntegration, type Integration, type Reconciler, type Workspace } from '../../../../sdk/index.ts';
import {
  enqueuingOthers,
  othersWithIn,
  uniqueNameIndex,
  uniqueNamesOf,
} from '../../../../sequencer/run/unique-name-index.ts';
import { aWorkspace } from '../../a-workspace.ts';

const integration = (more: Partial<Integration>): Integration =>
  defineIntegration({
    ...{ name: 'ports', condition: 'Ports', handles: () => true },
    connect: () => ({ reconcile: async () => undefined, terminate: async () => undefined }),
    ...more,
  });

/** Workspace that asks for ports, created in that second. */
const asking = (name: string, ports: readonly unknown[], second = 0) => {
  const workspace = aWorkspace({ name, spec: { integrations: { ports: { ports } } } });
  const own = { uid: `uid-${name}`, creationTimestamp: `2026-01-01T00:00:0${second}Z` };
  return { ...workspace, metadata: { ...workspace.metadata, ...own } };
};

const uniqueNames = ({ spec }: Workspace) => (spec.integrations as { ports: { ports: readonly string[] } }).ports.ports;

/** Store of these workspaces, by the names that they ask for. */
function aStore(...workspaces: readonly Workspace[]) {
  const namesOf = uniqueNamesOf([integration({ uniqueNames })]);
  const by = (index: string, value: string) =>
    index === uniqueNameIndex ? workspaces.filter((one) => namesOf(one).includes(value)) : [];
  return { namesOf, store: { by } as never };
}

test('names are those of the integrations that handle a workspace, bounded, and never an exception', (t) => {
  const shop = asking('shop', ['80', 7, 'x'.repeat(1025)]);
  t.deepEqual(uniqueNamesOf([integration({ uniqueNames }), integration({ name: 'other' })])(shop), [
    'se.quencer.io/ports 80',
  ]);
  t.deepEqual(uniqueNamesOf([integration({ uniqueNames, handles: () => false })])(shop), []);
  const failing = () => {
    throw new Error('no');
  };
  t.deepEqual(uniqueNamesOf([integration({ uniqueNames: failing })])(shop), []);
  t.deepEqual(uniqueNamesOf([integration({ uniqueNames, handles: failing })])(shop), []);
  let failed = 0;
  const late = (() => {
    failed += 1;
    return Promise.reject(new Error('later'));
  }) as never;
  t.deepEqual(uniqueNamesOf([integration({ uniqueNames: late })])(shop), []);
  t.deepEqual(uniqueNamesOf([integration({ uniqueNames, handles: late })])(shop), []);
  t.is(failed, 2, 'a promise that rejects ends no process');
  const many = asking('many', Array.from({ length: 300 }, String));
  t.is(uniqueNamesOf([integration({ uniqueNames })])(many).length, 256);
});

test('the others with a name are found, the oldest first, never the one that asks', (t) => {
  const [young, old, mine] = [asking('a', ['80'], 3), asking('b', ['80', '81'], 1), asking('c', ['80'], 2)];
  const { store } = aStore(young, old, mine, asking('d', ['81']));
  const others = othersWithIn(() => store, { integrations: [integration({ uniqueNames })] })(
    'se.quencer.io/ports',
    mine,
    '80',
  );
  t.deepEqual(
    others.map(({ metadata }) => metadata.name),
    ['b', 'a'],
  );
});

test('workspaces of all configs of a type that is opened to tenants find one another, others do not', (t) => {
  const [one, two] = [asking('a', ['80']), asking('b', ['80'], 1)];
  const othersWith = othersWithIn(() => aStore(one, two).store, {
    integrations: [integration({ uniqueNames })],
    types: ['other', 'ports'],
  });
  const found = (claim: string) => othersWith(claim, one, '80').map(({ metadata }) => metadata.name);
  t.deepEqual(found('se.quencer.io/ports.mine.0123456789ab'), ['b']);
  t.deepEqual(found('se.quencer.io/ports'), ['b']);
  t.deepEqual(found('se.quencer.io/other.mine.0123456789ab'), []);
  t.deepEqual(found('se.quencer.io/portside'), []);
});

test('what is opened to tenants finds the workspaces of the config file where both have one function', (t) => {
  const [tenant, ours] = [asking('a', ['80']), asking('b', ['80'], 1)];
  const isOurs = ({ metadata }: Workspace) => metadata.name === 'b';
  const found = (ofTenants: Integration['uniqueNames']) => {
    const integrations = [
      integration({ uniqueNames, handles: isOurs }),
      integration({ name: 'team-ports', handles: (one) => !isOurs(one), ...(ofTenants && { uniqueNames: ofTenants }) }),
    ];
    const namesOf = uniqueNamesOf(integrations);
    const by = (_: string, value: string) => [tenant, ours].filter((one) => namesOf(one).includes(value));
    const othersWith = othersWithIn(() => ({ by }) as never, { integrations, types: ['team-ports'] });
    const names = (all: readonly Workspace[]) => all.map(({ metadata }) => metadata.name);
    return [
      names(othersWith('se.quencer.io/team-ports.mine.0123456789ab', tenant, '80')),
      names(othersWith('se.quencer.io/ports', ours, '80')),
    ];
  };
  t.deepEqual(found(uniqueNames), [['b'], ['a']]);
  t.deepEqual(
    found((workspace) => uniqueNames(workspace)),
    [[], []],
    'names of another function are others',
  );
});

test('a workspace that asks for a name that is given up runs again; a name that stays asked for wakes none', async (t) => {
  const woken: string[] = [];
  const { namesOf, store } = aStore(asking('b', ['80', '81']), asking('c', ['82']));
  const walking = () => ({ store, enqueue: ({ name }: { readonly name: string }) => void woken.push(name) });
  const walks: Reconciler<Workspace> = async () => ({});
  const reconcile = enqueuingOthers(walking, namesOf, walks);
  const change = (ports: readonly string[] | undefined) =>
    reconcile({
      key: { namespace: 'default', name: 'a' },
      object: ports && asking('a', ports),
    } as unknown as Parameters<typeof reconcile>[0]);
  await change(['80', '82']);
  t.deepEqual(woken, []);
  await change(['80']);
  t.deepEqual(woken, ['c']);
  await change(undefined);
  t.deepEqual(woken, ['c', 'b']);
  await change(undefined);
  t.deepEqual(woken, ['c', 'b']);
});
