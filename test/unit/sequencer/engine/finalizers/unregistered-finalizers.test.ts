import test from 'ava';
import { defineIntegration, Workspace } from '../../../../../sdk/index.ts';
import {
  releaseUnregisteredFinalizers,
  unregisteredFinalizers,
} from '../../../../../sequencer/engine/finalizers/unregistered-finalizers.ts';
import { aTargetCluster } from '../../../a-target-cluster.ts';
import { aWorkspace } from '../../../a-workspace.ts';

const registered = new Set(['dns']);
const integrations = [
  defineIntegration({
    name: 'dns',
    condition: 'DNS',
    handles: () => false,
    connect: () => ({ reconcile: async () => undefined, terminate: async () => undefined }),
  }),
];

test('claims of integrations that are not registered are found, other finalizers are left alone', (t) => {
  const workspace = aWorkspace({ finalizers: ['se.quencer.io/dns', 'se.quencer.io/old', 'example.com/x'] });
  t.deepEqual(unregisteredFinalizers(workspace, registered), ['old']);
  t.deepEqual(unregisteredFinalizers(aWorkspace(), registered), []);
});

const withClaims = async (...finalizers: readonly string[]) => {
  const target = await aTargetCluster();
  await target.create();
  const workspace = await target.client.patch(
    Workspace,
    { namespace: 'default', name: 'shop' },
    { type: 'merge', value: { metadata: { finalizers } } },
  );
  return { stage: target, workspace, actor: target.actor([]) };
};

test('an unknown claim is reported with what to do about it, and kept', async (t) => {
  const { workspace, actor } = await withClaims('se.quencer.io/old');
  await releaseUnregisteredFinalizers(actor.host, workspace, { integrations, orphan: new Set(), logged: new Set() });
  t.like(actor.events[0], { type: 'Warning', reason: 'UnregisteredClaim' });
  t.regex(actor.events[0]?.message ?? '', /--orphan old/);
  t.deepEqual(workspace.metadata.finalizers, ['se.quencer.io/old']);
});

test('however many unknown claims a tenant writes, there is one event of the workspace, and the log has an end', async (t) => {
  const target = await aTargetCluster();
  const { host, events } = target.actor([]);
  const lines: unknown[] = [];
  const logger = { warn: (about: object) => void lines.push(about) } as never;
  const logged = new Set<string>();
  for (let turn = 0; turn < 3; turn += 1) {
    const finalizers = Array.from({ length: 5_000 }, (_, nth) => `se.quencer.io/x${turn}-${nth}`);
    const workspace = aWorkspace({ name: 'shop', finalizers });
    await releaseUnregisteredFinalizers({ ...host, logger }, workspace, {
      integrations: [],
      orphan: new Set(),
      logged,
    });
  }
  t.is(events.length, 3);
  t.regex(events[0]!.message, /^se\.quencer\.io\/x0-0, .* and 4997 more are held by integrations/);
  t.is(lines.length, 100);
  t.is(logged.size, 100);
});

test('a claim given up goes alone, and that is reported', async (t) => {
  const { stage: target, workspace, actor } = await withClaims('a.b/c', 'se.quencer.io/old', 'se.quencer.io/dns');
  await releaseUnregisteredFinalizers(actor.host, workspace, {
    integrations,
    orphan: new Set(['old', 'dns']),
    logged: new Set(),
  });
  t.deepEqual(
    (await target.read()).metadata.finalizers,
    ['a.b/c', 'se.quencer.io/dns'],
    'a registered one is never given up',
  );
  t.like(actor.events[0], { reason: 'Orphaned' });
});

test('finalizers that moved meanwhile make it stale', async (t) => {
  const { stage: target, workspace, actor } = await withClaims('se.quencer.io/old');
  await target.client.patch(
    Workspace,
    { namespace: 'default', name: 'shop' },
    { type: 'merge', value: { metadata: { finalizers: ['a.b/c', 'se.quencer.io/old'] } } },
  );
  await t.throwsAsync(
    releaseUnregisteredFinalizers(actor.host, workspace, { integrations, orphan: new Set(['old']), logged: new Set() }),
    {
      name: 'StaleError',
    },
  );
});
