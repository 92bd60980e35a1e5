import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { parse } from 'yaml';
import {
  type Client,
  type CustomResourceDefinition,
  CustomResourceDefinitionKind,
  claimOf,
  defineIntegration,
  ensureCrds,
  externalResource,
  type GuardEntry,
  ignoreNotFound,
  Workspace,
} from '../../../../sdk/index.ts';
import { runSequencer } from '../../../../sequencer/run/run.ts';
import { until } from '../../real/until.ts';
import { applied } from '../access/rights.ts';
import { root } from '../programs.ts';
import { isReady } from '../sequencing.ts';
import { startClientsUnderTest } from '../servers.ts';

const releases = join(root, 'test/system/upgrade/releases');
const definitionOf = (file: string) => parse(readFileSync(join(releases, file), 'utf8')) as CustomResourceDefinition;
const definition = { name: 'workspaces.se.quencer.io' };
const namespace = 'default';
const times = { lease: 1500, margin: 300, maxRequest: 500 };

/** A third party that keeps one box per workspace, by uid, and counts creations. */
function boxes() {
  const there = new Set<string>();
  const made: string[] = [];
  const box = externalResource<{ name: string }, { id: string }>({
    label: 'box',
    identity: 'name',
    find: async ({ uid }) => (there.has(uid) ? { id: uid } : undefined),
    create: async (_, { owner: { uid } }) => {
      there.add(uid);
      made.push(uid);
      return { id: { id: uid } };
    },
    delete: async ({ id }) => void there.delete(id),
  });
  const integration = defineIntegration({
    name: 'boxes',
    condition: 'Box',
    handles: () => true,
    connect: ({ controller }) => ({
      reconcile: () => controller.ensure(box, { name: 'box' }),
      terminate: () => controller.destroy(box),
    }),
  });
  return { there, made, integration };
}

const journal = (entry: Partial<GuardEntry>): GuardEntry => ({
  op: 'create',
  key: 'k',
  token: 1,
  holder: 'earlier',
  phase: 'done',
  ...entry,
});

const finished = (uid: string): GuardEntry => journal({ refs: [{ id: uid }] });

/** Workspace as an earlier release left it: its claim, its condition, its journal. */
async function halfWay(
  client: Client,
  name: string,
  { status, entry }: { readonly status: string; readonly entry: (uid: string) => GuardEntry },
): Promise<string> {
  const metadata = { namespace, name, finalizers: [claimOf('boxes')] };
  const { uid = '' } = (await client.create(Workspace, { metadata, spec: {} })).metadata;
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  const value = {
    status: {
      conditions: [{ type: 'Box', status, reason: 'earlier', lastTransitionTime }],
      guards: { Box: entry(uid) },
    },
  };
  await client.patch(Workspace, { namespace, name }, { type: 'merge', value }, { subresource: 'status' });
  return uid;
}

for (const server of await startClientsUnderTest()) {
  const { name, client, kubeconfigPath, close } = server;
  test.after.always(`${name} stops`, close);

  const running = async (
    integrations: Parameters<typeof runSequencer>[0]['integrations'],
    work: () => Promise<void>,
  ) => {
    const stopping = new AbortController();
    const ended = runSequencer({ kubeconfig: kubeconfigPath, integrations, times, signal: stopping.signal });
    try {
      await Promise.race([work(), ended]);
    } finally {
      stopping.abort();
      await ended;
    }
  };
  const readyAgain = (...names: readonly string[]) =>
    until(
      async () => {
        const all = await Promise.all(names.map((one) => client.get(Workspace, { namespace, name: one })));
        return all.every(isReady) || undefined;
      },
      { message: () => 'not ready' },
    );

  for (const file of globSync('*.yaml', { cwd: releases }))
    test.serial(
      `${name}: workspaces half-way under ${file} continue with this release, and their statuses survive the way back`,
      async (t) => {
        t.timeout(180_000);
        const { there, made, integration } = boxes();
        await applied(client, definitionOf(file));
        await ensureCrds(client, [{ ...Workspace, crd: async () => definitionOf(file) }], { release: '0.0.1' });
        const done = await halfWay(client, 'done', { status: 'Completed', entry: finished });
        const open = await halfWay(client, 'open', {
          status: 'Locked',
          entry: () => journal({ phase: 'intent', leaseSeconds: 1, attempt: 1, since: '2026-01-01T00:00:00Z' }),
        });
        const going = await halfWay(client, 'going', { status: 'Completed', entry: finished });
        for (const uid of [done, going]) there.add(uid);
        await client.delete(Workspace, { namespace, name: 'going' });

        await running([integration], async () => {
          await client.create(Workspace, { metadata: { namespace, name: 'fresh' }, spec: {} });
          await readyAgain('done', 'open', 'fresh');
          const gone = async () => ((await client.list(Workspace)).items.length === 3 ? true : undefined);
          await until(gone, { message: () => 'not gone' });
        });
        const fresh = (await client.get(Workspace, { namespace, name: 'fresh' })).metadata.uid!;
        t.deepEqual([...there].toSorted(), [done, open, fresh].toSorted());
        t.deepEqual(made.toSorted(), [open, fresh].toSorted(), 'nothing is made twice');

        const before = (await client.list(Workspace)).items.map(({ status }) => status);
        const [kept] = await ensureCrds(client, [{ ...Workspace, crd: async () => definitionOf(file) }], {
          release: '0.0.1',
        });
        t.regex(kept?.notice ?? '', /left alone: the newer release/);
        t.deepEqual(
          (await client.list(Workspace)).items.map(({ status }) => status),
          before,
        );

        await applied(client, definitionOf(file));
        const { spec } = await client.get(CustomResourceDefinitionKind, definition);
        t.false(
          JSON.stringify(spec).includes('className cannot be changed'),
          'an administrator has set the definition back',
        );
        await running([integration], async () => {
          for (const one of ['done', 'open', 'fresh']) await client.delete(Workspace, { namespace, name: one });
          const gone = async () => ((await client.list(Workspace)).items.length === 0 ? true : undefined);
          await until(gone, { message: () => 'not gone' });
        });
        t.deepEqual([...there], []);
        await client.delete(CustomResourceDefinitionKind, definition);
        const withdrawn = async () =>
          (await ignoreNotFound(client.get(CustomResourceDefinitionKind, definition))) === undefined || undefined;
        await until(withdrawn, { message: () => 'the definition is still there' });
      },
    );

  test.serial(
    `${name}: a definition that is set back while an operator runs is brought up to date again`,
    async (t) => {
      const { integration } = boxes();
      await ensureCrds(client, [Workspace]);
      await running([integration], async () => {
        await client.create(Workspace, { metadata: { namespace, name: 'shop' }, spec: {} });
        await readyAgain('shop');
        await applied(client, definitionOf('0.1.0-dev.4.yaml'));
        const served = async () => {
          const { spec } = await client.get(CustomResourceDefinitionKind, definition);
          return JSON.stringify(spec).includes('waitsFor') || undefined;
        };
        await until(served, { deadline: 60_000, message: () => 'not brought up to date' });
        await client.delete(Workspace, { namespace, name: 'shop' });
        const gone = async () => ((await client.list(Workspace)).items.length === 0 ? true : undefined);
        await until(gone, { message: () => 'not gone' });
      });
      t.pass('well before the next check, which comes after five minutes');
    },
  );
}
