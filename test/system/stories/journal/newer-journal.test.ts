import test from 'ava';
import {
  claimOf,
  conditionOf,
  defineIntegration,
  ensureCrds,
  externalResource,
  type GuardEntry,
  Workspace,
} from '../../../../sdk/index.ts';
import { runSequencer } from '../../../../sequencer/run/run.ts';
import { until } from '../../real/until.ts';
import { startClientsUnderTest } from '../servers.ts';

const namespace = 'default';
const times = { lease: 1500, margin: 300, maxRequest: 500 };

/** Integration that keeps one box per workspace. */
function keeper() {
  const calls: string[] = [];
  const there = new Set<string>();
  const box = externalResource<{ name: string }, { id: string }>({
    label: 'box',
    identity: 'name',
    find: async ({ uid }) => (there.has(uid) ? { id: uid } : undefined),
    async create(_, { owner: { uid, workspace } }) {
      calls.push(`create for ${workspace}`);
      there.add(uid);
      return { id: { id: uid } };
    },
    async delete({ id }, { owner: { workspace } }) {
      calls.push(`delete for ${workspace}`);
      there.delete(id);
    },
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
  return { calls, integration };
}

for (const server of await startClientsUnderTest()) {
  const { name, client, kubeconfigPath, close } = server;
  test.after.always(`${name} stops`, close);

  const statusOf = (one: string, value: object) =>
    client.patch(
      Workspace,
      { namespace, name: one },
      { type: 'merge', value: { status: value } },
      { subresource: 'status' },
    );

  /** Workspace as a newer release has left it, half-way. */
  async function leftBehind(one: string, entry: Partial<GuardEntry>): Promise<void> {
    await client.create(Workspace, { metadata: { namespace, name: one, finalizers: [claimOf('boxes')] }, spec: {} });
    const status = entry.phase === 'intent' ? 'Locked' : 'Completed';
    const condition = { type: 'Box', status, reason: 'newer', lastTransitionTime: '2026-01-01T00:00:00Z' };
    const guard = { op: 'create', key: 'k-1', token: 1, holder: 'newer/a', leaseSeconds: 1, format: 2, ...entry };
    await statusOf(one, { conditions: [condition], guards: { Box: guard } });
  }

  test.serial(
    `${name}: what a newer release has left half-way waits for it, in creation and in deletion`,
    async (t) => {
      t.timeout(180_000);
      const { calls, integration } = keeper();
      await ensureCrds(client, [Workspace]);
      await leftBehind('making', { phase: 'intent', attempt: 1 });
      await leftBehind('going', { phase: 'done', refs: [{ slot: '', id: { id: 'box-7' }, hash: '' }] });
      await client.delete(Workspace, { namespace, name: 'going' });
      const read = (one: string) => client.get(Workspace, { namespace, name: one });
      const before = await Promise.all([read('making'), read('going')]);
      const stopping = new AbortController();
      const running = runSequencer({
        kubeconfig: kubeconfigPath,
        integrations: [integration],
        times,
        signal: stopping.signal,
      });
      try {
        await client.create(Workspace, { metadata: { namespace, name: 'fine' }, spec: {} });
        const said = async (one: string) =>
          conditionOf(await read(one), 'Box').reason.startsWith('E#3020') || undefined;
        const message = () => `not said; ${calls.join()}`;
        for (const one of ['making', 'going']) await until(() => said(one), { message });
        const made = async () => conditionOf(await read('fine'), 'Box').status === 'Completed' || undefined;
        await until(made, { message: () => 'the other workspace is held up' });
        await new Promise((resolve) => setTimeout(resolve, 2 * (times.lease + times.maxRequest) + times.lease));
        t.deepEqual(calls, ['create for fine']);
        const now = await Promise.all([read('making'), read('going')]);
        t.deepEqual(
          now.map(({ status, metadata }) => [status?.guards, metadata.finalizers]),
          before.map(({ status, metadata }) => [status?.guards, metadata.finalizers]),
        );
        for (const one of ['making', 'going']) await statusOf(one, { guards: { Box: { format: null } } });
        await until(async () => conditionOf(await read('making'), 'Box').status === 'Completed' || undefined, {
          message,
        });
        const gone = async () =>
          (await client.list(Workspace)).items.every(({ metadata }) => metadata.name !== 'going');
        await until(async () => (await gone()) || undefined, { message });
        t.deepEqual(calls.toSorted(), ['create for fine', 'create for making', 'delete for going']);
      } finally {
        stopping.abort();
        await running;
      }
    },
  );
}
