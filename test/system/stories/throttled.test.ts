import test from 'ava';
import {
  conditionOf,
  defineIntegration,
  type Integration,
  Namespace,
  type RateLimits,
  ThrottledError,
  Workspace,
} from '../../../sdk/index.ts';
import { createSequencer } from '../../../sequencer/index.ts';
import { aTargetCluster, type TargetCluster } from '../../unit/a-target-cluster.ts';

/** Number of workspaces with a credential in each namespace. */
const crowd = { crowded: 70, small: 10, smaller: 12, smallest: 8 } as const;
const credentials = ['slow', 'fast'] as const;
const retryAfter = 120_000;
const limits: RateLimits = { rate: 10, burst: 5, credential: ({ spec }) => String(spec.integrations?.credential) };

/** A call that reached the third party. */
interface Call {
  readonly credential: string;
  readonly namespace: string;
  readonly at: number;
}

/** A third party that throttles clients with the credential `slow` for a while. */
function thirdParty({ clock }: TargetCluster, throttles: boolean) {
  const [made, refused]: [Call[], Call[]] = [[], []];
  const integration: Integration = defineIntegration({
    name: 'boxes',
    condition: 'Boxes',
    limits,
    handles: () => true,
    connect: ({ workspace, controller }) => ({
      async reconcile() {
        if (controller.condition.status === 'Completed') return;
        await controller.guard('making a box', async () => {
          const credential = String(workspace.spec.integrations?.credential);
          const call = { credential, namespace: controller.namespace, at: clock.monotonic() };
          if (throttles && credential === 'slow' && call.at < retryAfter) {
            refused.push(call);
            throw new ThrottledError('slow down', retryAfter - call.at);
          }
          made.push(call);
          return { status: 'Completed', reason: 'made', refs: [{ id: workspace.metadata.name }] };
        });
      },
      async terminate() {
        await controller.guard('breaking it', async () => ({ status: 'Terminated', reason: 'gone', refs: [] }));
      },
    }),
  });
  return { integration, made, refused };
}

/** Has a sequencer make all of them ready, and returns the time of each call. */
async function planRequested(throttles: boolean) {
  const stage = await aTargetCluster();
  const { integration, made, refused } = thirdParty(stage, throttles);
  for (const [namespace, count] of Object.entries(crowd)) {
    await stage.client.create(Namespace, { metadata: { name: namespace } });
    for (const credential of credentials)
      for (let index = 0; index < count; index += 1)
        await stage.client.create(Workspace, {
          metadata: { namespace, name: `${credential}-${index}` },
          spec: { integrations: { credential } },
        });
  }
  const stop = new AbortController();
  const { client, clock } = stage;
  const options = { client, clock, integrations: [integration], random: () => 0.5, events: { event: () => {} } };
  const running = createSequencer(options).run(stop.signal);
  for (let turn = 0; turn < 200; turn += 1) await clock.advance(0);
  const readyAt = async (credential: string): Promise<number> => {
    for (;;) {
      const { items } = await client.list(Workspace);
      const ours = items.filter(({ metadata }) => metadata.name.startsWith(credential));
      if (ours.every((workspace) => conditionOf(workspace, 'Ready').status === 'True')) return clock.monotonic();
      if (clock.monotonic() > 10 * retryAfter) throw new Error(`${credential} is not ready`);
      await clock.advance(1_000);
    }
  };
  const fast = await readyAt('fast');
  const slow = await readyAt('slow');
  stop.abort();
  await Promise.all([running, clock.advance(20_000)]);
  return {
    fast,
    slow,
    made,
    refused,
    of: (credential: string) => made.filter((call) => call.credential === credential),
  };
}

const calmly = planRequested(false);

test('F40: 200 workspaces in 4 namespaces with two credentials: one that is throttled slows only itself', async (t) => {
  const [calm, throttled] = [await calmly, await planRequested(true)];
  t.is(throttled.fast, calm.fast, 'those with the other credential are ready at the same virtual time');
  t.deepEqual(
    throttled.of('fast').map(({ at }) => at),
    calm.of('fast').map(({ at }) => at),
    'call by call',
  );
  t.true(throttled.refused.length <= 5, `${throttled.refused.length} calls were refused: no more than were under way`);
  t.true(
    throttled.of('slow').every(({ at }) => at >= retryAfter),
    'Retry-After is honoured by all',
  );
  t.true(throttled.slow >= retryAfter && throttled.slow <= retryAfter + calm.slow + 1_000, `${throttled.slow} ms`);
  for (const { made } of [calm, throttled]) t.is(made.length, 200, 'and nothing is made twice');
});

test('a crowded namespace does not keep smaller ones waiting', async (t) => {
  const { of } = await calmly;
  const order = of('fast').map(({ namespace }) => namespace);
  for (const [namespace, count] of Object.entries(crowd))
    if (namespace !== 'crowded') {
      const last = order.lastIndexOf(namespace) + 1;
      t.true(last <= 4 * count + 10, `${namespace}: ${count} were through after ${last} calls`);
    }
});
