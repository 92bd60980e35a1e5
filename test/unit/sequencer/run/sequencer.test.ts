import test from 'ava';
import {
  ConfigMap,
  conditionOf,
  DefiniteError,
  defineIntegration,
  type EventSink,
  errorOfResponse,
  exponentialBackoff,
  type Integration,
  type Outcome,
  type Provider,
  type ProviderController,
  SecretRegistry,
  Workspace,
} from '../../../../sdk/index.ts';
import { createLogger } from '../../../../sequencer/cli/output/log.ts';
import { createSequencer, type SequencerOptions } from '../../../../sequencer/run/sequencer.ts';
import { aTargetCluster, type TargetCluster } from '../../a-target-cluster.ts';

const integration = (
  provider: (controller: ProviderController) => Partial<Provider>,
  more: Partial<Integration> = {},
): Integration =>
  defineIntegration({
    name: 'dns',
    condition: 'DNS',
    handles: () => true,
    connect: ({ controller }) => ({
      reconcile: () => controller.updateCondition('Completed', 'there'),
      terminate: () => controller.updateCondition('Terminated', 'gone'),
      ...provider(controller),
    }),
    ...more,
  });

/** A sequencer that runs until the clock of the target was moved by the given steps. */
async function running(
  target: TargetCluster,
  integrations: readonly Integration[],
  more: Partial<SequencerOptions> = {},
) {
  const stop = new AbortController();
  const { client, clock } = target;
  const sequencer = createSequencer({
    client,
    clock,
    integrations,
    random: () => 0.5,
    events: { event: () => {} },
    ...more,
  });
  const end = sequencer.run(stop.signal);
  await settled(target);
  return {
    sequencer,
    stop: async () => {
      stop.abort();
      await Promise.all([end, target.clock.advance(20_000)]);
    },
  };
}

/** Runs everything that needs no time. */
const settled = async (target: TargetCluster): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await target.clock.advance(0);
};

test('walks what is there, what comes, and what goes', async (t) => {
  const target = await aTargetCluster();
  await target.create({}, 'first');
  const { stop, sequencer } = await running(target, [integration(() => ({}))]);
  await sequencer.synced;
  await target.create({}, 'second');
  await settled(target);
  for (const name of ['first', 'second']) t.is(conditionOf(await target.read(name), 'Ready').status, 'True');
  await target.delete('first');
  await settled(target);
  await t.throwsAsync(target.read('first'), { name: 'NotFoundError' });
  t.is(sequencer.health().failures, 0);
  await stop();
});

test('D7: a failing third party is tried again by the retry policy, and by nothing else', async (t) => {
  const target = await aTargetCluster();
  let calls = 0;
  const refusing = integration((controller) => ({
    reconcile: () =>
      controller.guard('creating', async () => {
        calls += 1;
        throw new DefiniteError(`refused ${calls}`);
      }),
  }));
  await target.create();
  const { stop } = await running(target, [refusing], {
    retry: exponentialBackoff({ initialDelay: 1_000, jitter: 0, random: () => 0.5 }),
  });
  t.is(calls, 1, 'our own writes of what went wrong are no reason to try again');
  await target.clock.advance(900);
  t.is(calls, 1);
  await target.clock.advance(200);
  await settled(target);
  t.is(calls, 2);
  t.is((await target.read()).status?.phase, 'Error');
  await stop();
});

test('a third party that asks for patience without a time is asked less and less often', async (t) => {
  const target = await aTargetCluster();
  const calls: number[] = [];
  const throttling = integration((controller) => ({
    reconcile: () =>
      controller.guard('creating', async () => {
        calls.push(target.clock.monotonic());
        throw errorOfResponse(new Response(null, { status: 429 }), 'slow down', target.clock.now());
      }),
  }));
  await target.create();
  const { stop } = await running(target, [throttling]);
  for (let passed = 0; passed < 120_000; passed += 500) await target.clock.advance(500);
  const gaps = calls.slice(1).map((at, index) => at - calls[index]!);
  t.true(calls.length >= 5 && calls.length <= 8, `${calls.length} calls`);
  for (const [index, gap] of gaps.slice(1).entries()) t.true(gap > 1.5 * gaps[index]!, gaps.join(', '));
  t.like(conditionOf(await target.read(), 'DNS'), { status: 'Waiting', reason: 'slow down' });
  await stop();
});

test('a change of something an integration owns walks the workspace again', async (t) => {
  const target = await aTargetCluster();
  let walks = 0;
  const owning = integration(
    (controller) => ({
      reconcile: async () => {
        walks += 1;
        await controller.create(ConfigMap, { metadata: { name: 'settings' } });
        await controller.updateCondition('Completed', 'there');
      },
      terminate: async () => {
        await controller.delete(ConfigMap, { name: 'settings' });
        await controller.updateCondition('Terminated', 'gone');
      },
    }),
    { owns: [ConfigMap] },
  );
  await target.create();
  const { stop } = await running(target, [owning]);
  const before = walks;
  await target.client.delete(ConfigMap, { namespace: 'default', name: 'settings' });
  await settled(target);
  t.true(walks > before);
  t.truthy(await target.client.get(ConfigMap, { namespace: 'default', name: 'settings' }));
  await stop();
});

test('only workspaces of its namespace are walked', async (t) => {
  const target = await aTargetCluster();
  await target.create();
  const { stop } = await running(target, [integration(() => ({}))], { namespace: 'kube-public' });
  t.is((await target.read()).status, undefined);
  await stop();
});

test('a status wiped by others is written again', async (t) => {
  const target = await aTargetCluster();
  await target.create();
  const { stop } = await running(target, [integration(() => ({}))]);
  await target.client.patch(
    Workspace,
    { namespace: 'default', name: 'shop' },
    { type: 'json', operations: [{ op: 'remove', path: '/status' }] },
    { subresource: 'status' },
  );
  await settled(target);
  t.is((await target.read()).status?.phase, 'Healthy');
  await stop();
});

test('told to stop, it lets a running attempt come to its end', async (t) => {
  const target = await aTargetCluster();
  const slow = integration((controller) => ({
    reconcile: () =>
      controller.guard('creating', async () => {
        await target.clock.sleep(3_000);
        return { status: 'Completed', reason: 'made', refs: [{ id: 1 }] };
      }),
  }));
  await target.create();
  const { stop } = await running(target, [slow]);
  t.is(conditionOf(await target.read(), 'DNS').status, 'Locked');
  await stop();
  t.is(conditionOf(await target.read(), 'DNS').status, 'Completed');
});

test('an option that is none, and integrations that contradict each other, are refused at once', async (t) => {
  const { client } = await aTargetCluster();
  t.throws(() => createSequencer({ client, integrations: [], worker: 3 } as unknown as SequencerOptions), {
    instanceOf: TypeError,
    message: /worker is not an option/,
  });
  t.throws(() => createSequencer({ client, integrations: [integration(() => ({})), integration(() => ({}))] }), {
    name: 'UserError',
    message: /two integrations are named/,
  });
});

test('secrets of an integration are in no condition, journal, annotation, event or log line', async (t) => {
  const target = await aTargetCluster();
  await target.create();
  const [token, url] = ['s3cret-token', 'https://admin:pass-word@host/x?api_key=key-value'];
  const told: string[] = [];
  const say = `${url} does not like ${token}, in base64 ${btoa(token)}`;
  const lines: string[] = [];
  const secrets = new SecretRegistry();
  const logger = await createLogger('debug', { write: (line) => void lines.push(line) }, secrets);
  const events = { event: (...[, , , message]: Parameters<EventSink['event']>) => void told.push(message) };
  let outcome = (): Outcome => {
    throw new DefiniteError(say);
  };
  const talkative = integration(
    (controller) => ({
      async reconcile() {
        controller.event('Normal', 'Said', say);
        await controller.guard(`creating ${say}`, async () => outcome(), { identity: 'name' });
      },
    }),
    { secrets: [token] },
  );
  const { stop } = await running(target, [talkative], { events, logger, secrets });
  const seen = [await target.read()];
  outcome = () => ({ status: 'Error', reason: say, refs: [{ id: 'a' }] });
  await target.clock.advance(2_000);
  seen.push(await target.read());
  await stop();
  const all = [...seen.map((workspace) => JSON.stringify(workspace)), ...told, ...lines].join();
  for (const text of [token, btoa(token), 'admin', 'pass-word', 'key-value']) t.false(all.includes(text), text);
  t.deepEqual(
    seen.map((workspace) => conditionOf(workspace, 'DNS').reason),
    Array(2).fill('https://***@host/x?api_key=*** does not like ***, in base64 ***'),
  );
  t.true(told.length > 2 && lines.length > 0);
});
