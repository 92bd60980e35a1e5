/** Replicas that run as shards of one ring, in one process and in virtual time, and a third party that logs their calls. */

import 'xxhash-wasm';
import type { ExecutionContext } from 'ava';
import { shardLabelsOf } from '../../../sdk/host/index.ts';
import {
  aborted,
  type Client,
  createClient,
  defineIntegration,
  ensureCrds,
  externalResource,
  failuresOf,
  type Integration,
  Lease,
  requeueAfter,
  Workspace,
} from '../../../sdk/index.ts';
import { createSequencer } from '../../../sequencer/run/sequencer.ts';
import { shardOf } from '../../../sequencer/run/shards.ts';
import { createCluster, createManualClock, type ManualClock } from '../../cluster/index.ts';

/** Time in ms during which a replica has walked a workspace. */
export interface Interval {
  readonly name: string;
  readonly replica: string;
  readonly from: number;
  to: number;
}

/** Pairs of walks of one workspace by different replicas at the same time. */
export const overlaps = (walks: readonly Interval[]): readonly (readonly [Interval, Interval])[] =>
  [...Map.groupBy(walks, ({ name }) => name).values()].flatMap((ofOne) =>
    ofOne.flatMap((a, at) =>
      ofOne
        .slice(at + 1)
        .filter((b) => a.replica !== b.replica && a.from < b.to && b.from < a.to)
        .map((b) => [a, b] as const),
    ),
  );

/** Connection of one replica: `cut` lets no request and no event through, and answers nothing. */
function wire(client: Client) {
  let isCut = false;
  const cutting = new AbortController();
  const stalled = (signal: AbortSignal | undefined): Promise<never> =>
    aborted(signal ?? new AbortController().signal).then(() => Promise.reject(signal!.reason));
  async function* watch(...call: Parameters<Client['watch']>) {
    const options = call[1] ?? {};
    const over = AbortSignal.any([cutting.signal, ...(options.signal ? [options.signal] : [])]);
    if (!isCut)
      for await (const event of client.watch(call[0], { ...options, signal: over })) {
        if (isCut) break;
        yield event;
      }
    if (isCut) await aborted(options.signal ?? new AbortController().signal);
  }
  const through = new Proxy(client, {
    get(target, member: keyof Client) {
      const method = target[member];
      if (member === 'watch') return watch;
      if (typeof method !== 'function') return method;
      return async (...call: readonly unknown[]) => {
        const { signal } = (call.at(-1) ?? {}) as { readonly signal?: AbortSignal };
        if (isCut) return stalled(signal);
        const answer = await (method as (...call: readonly unknown[]) => Promise<unknown>)(...call);
        return isCut ? stalled(signal) : answer;
      };
    },
  });
  const cut = () => {
    isCut = true;
    cutting.abort();
  };
  return { client: through, cut };
}

/** Third party that is called by every replica: each walk asks it, which takes a while, and a box is made once. */
function thirdParty(clock: ManualClock) {
  const walks: Interval[] = [];
  const boxes = new Map<string, number>();
  /** ms between two walks of a workspace. */
  const party = { pace: 1_000 };
  const integrationOf = (replica: string, isAlive: () => boolean): Integration => {
    /** Logs a walk; returns a function that logs its end. What a killed replica does is not logged. */
    const beginWalk = (name: string) => {
      const walked: Interval = { name, replica, from: clock.monotonic(), to: Infinity };
      if (isAlive()) walks.push(walked);
      return () => {
        if (isAlive()) walked.to = clock.monotonic();
      };
    };
    const box = externalResource<{ name: string }, { id: string }>({
      label: 'box',
      identity: 'tag',
      find: async ({ mark }) => (boxes.has(mark) ? { id: mark } : undefined),
      create: async (_, { owner: { mark } }) => {
        if (isAlive()) boxes.set(mark, (boxes.get(mark) ?? 0) + 1);
        await clock.sleep(200);
        return { id: { id: mark } };
      },
      delete: async ({ id }) => void (isAlive() && boxes.delete(id)),
    });
    return defineIntegration({
      name: 'boxes',
      condition: 'Box',
      handles: () => true,
      connect: ({ controller, workspace }) => ({
        async reconcile() {
          const ends = beginWalk(workspace.metadata.name);
          try {
            await clock.sleep(2_000 + 90 * Number(/\d+$/.exec(workspace.metadata.name)?.[0] ?? 0));
            await controller.ensure(box, { name: 'box' });
            return requeueAfter(party.pace);
          } finally {
            ends();
          }
        },
        async terminate() {
          const ends = beginWalk(workspace.metadata.name);
          await controller.destroy(box).finally(ends);
        },
      }),
    });
  };
  return { walks, boxes, party, integrationOf };
}

/** A replica: a shard of its own name. */
interface Replica {
  /** Failures with which it has ended. */
  readonly ended: Promise<readonly unknown[]>;
  /** Tells it to stop, and waits for its end. */
  stop(): Promise<void>;
  /** Cuts it off from the API server. */
  cut(): void;
  /** Cuts it off from the third party as well: nothing that it does has an effect any more. */
  kill(): void;
}

type Surroundings = Pick<ReturnType<typeof thirdParty>, 'integrationOf' | 'walks'> & {
  readonly client: Client;
  readonly clock: ManualClock;
};

function startReplica(shard: string, holder: string, surroundings: Surroundings): Replica {
  const { client: shared, clock, walks, integrationOf } = surroundings;
  const { client, cut } = wire(shared);
  let isAlive = true;
  const stopping = new AbortController();
  const common = { client, clock, random: () => 0 };
  const sequencer = createSequencer({
    ...common,
    integrations: [integrationOf(holder, () => isAlive)],
    shard: { ring: 'test', name: shard },
    holder,
    times: { lease: 5_000, maxRequest: 1_000 },
  });
  const shards = shardOf({
    ...common,
    ring: 'test',
    shard,
    operatorNamespace: 'default',
    times: {},
    main: { name: 'sequencer', run: (signal) => sequencer.run(signal) },
    drain: 15_000,
  });
  const ended = shards.run(stopping.signal).then(
    () => [],
    (error: unknown) => failuresOf(error),
  );
  return {
    ended,
    cut,
    async stop() {
      stopping.abort();
      await Promise.race([ended, clock.advance(60_000)]);
    },
    kill() {
      isAlive = false;
      cut();
      for (const walk of walks)
        if (walk.replica === holder && walk.to === Infinity) Object.assign(walk, { to: clock.monotonic() });
    },
  };
}

/** A cluster in virtual time with a ring of replicas. */
export async function aRing(t: ExecutionContext) {
  const clock = createManualClock();
  const cluster = await createCluster({ clock, kubelet: false, namespaceController: false, garbageCollector: false });
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher, clock, random: () => 0 });
  const settingUp = ensureCrds(client, [Workspace], { clock });
  await clock.advance(1_000);
  await settingUp;
  const party = thirdParty(clock);
  const labels = shardLabelsOf('test');
  const started: Replica[] = [];
  t.teardown(async () => {
    await Promise.all(started.map((replica) => replica.stop()));
    await cluster.close();
  });
  return {
    ...party,
    clock,
    client,
    labels,
    /** Starts a replica; `holder` is its name in the log, of which no two have the same. */
    replica(shard: string, holder = shard): Replica {
      const replica = startReplica(shard, holder, { client, clock, ...party });
      started.push(replica);
      return replica;
    },
    create: (name: string) => client.create(Workspace, { metadata: { name, namespace: 'default' }, spec: {} }),
    /** Returns the shard of each workspace. */
    async assigned(): Promise<Readonly<Record<string, string | undefined>>> {
      const { items } = await client.list(Workspace);
      return Object.fromEntries(items.map(({ metadata }) => [metadata.name, metadata.labels?.[labels.shard]]));
    },
    leases: async () =>
      Object.fromEntries((await client.list(Lease)).items.map((lease) => [lease.metadata.name, lease.spec])),
  };
}
