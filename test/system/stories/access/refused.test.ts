import test from 'ava';
import { pino } from 'pino';
import { components } from '../../../../integrations/components/index.ts';
import {
  conditionOf,
  defineIntegration,
  type Event,
  ensureCrds,
  type Integration,
  Namespace,
  Secret,
  Workspace,
} from '../../../../sdk/index.ts';
import { createMetrics, type Metrics } from '../../../../sdk/metrics/index.ts';
import { createSequencer, type SequencerOptions } from '../../../../sequencer/index.ts';
import { aSeal } from '../../../unit/a-seal.ts';
import { boxes } from '../../../unit/sdk/provider/a-keeper.ts';
import { aThirdParty, boxKeeper, type ThirdParty } from '../../../unit/sdk/provider/a-third-party.ts';
import { eventsAbout, eventually, isReady, workspaceGone, workspaceThat } from '../sequencing.ts';
import { startClientsUnderTest } from '../servers.ts';
import { refusingUpdates, setQuota, silentWebhook, writesOfBoxes } from './policies.ts';

const times = { lease: 1_500, margin: 300, maxRequest: 500 };
const namespace = 'default';

/** Condition and event that tell a person of a refused write; each holds the policy's words. */
const seen = {
  intent: { condition: /^Error: .*no client writes intent/, event: 'BoxesFailed' },
  outcome: {
    condition: /^Locked: creating box a, until .*; what came of it is not written yet: .*no client writes outcome/,
    event: 'OutcomeNotWritten',
  },
  claim: {
    condition: /^Error: the finalizer se\.quencer\.io\/boxes cannot be added, .*no client writes claim/,
    event: 'WriteRefused',
  },
  mirror: { condition: /^Completed: box a is there$/, event: 'MirrorRefused' },
  checkpoint: { condition: /no client writes checkpoint/, event: 'BoxesFailed' },
  beat: { condition: /no client writes beat/, event: 'BoxesFailed' },
} as const;

/** Returns the count in the text of the metrics. */
async function refusedWrites(metrics: Metrics, what: keyof typeof seen): Promise<number> {
  const labels = `write="${what}",code="policy"`;
  const line = new RegExp(`^workspace_refused_writes_total\\{${labels}\\} (\\d+)$`, 'm');
  return Number(line.exec(await metrics.text())?.[1] ?? 0);
}

/** Logger that records each warning and error as one line of JSON. */
function noting() {
  const lines: string[] = [];
  return { lines, logger: pino({ level: 'warn' }, { write: (line) => void lines.push(line) }) };
}

/** Integration whose attempts make such a write: an early id, or a beat while a creation takes longer than a third of its lease. */
function keeperFor(what: keyof typeof seen, party: ThirdParty, lifted: () => boolean): Integration {
  const plain = party.resource('tag');
  if (what === 'beat')
    return boxKeeper(
      party.resource('tag', {
        async create(wanted, context) {
          if (!lifted())
            await new Promise((_, reject) =>
              context.signal.addEventListener('abort', () => reject(context.signal.reason)),
            );
          return plain.create(wanted, context);
        },
      }),
    );
  if (what !== 'checkpoint') return boxKeeper(plain);
  return defineIntegration({
    name: 'boxes',
    condition: 'Boxes',
    handles: () => true,
    connect: ({ controller }) => ({
      async reconcile() {
        if (controller.condition.status === 'Completed') return;
        const made = { status: 'Completed', reason: 'box a is there', refs: [{ id: 'box-1' }] } as const;
        await controller.guard(
          'making box a',
          async ({ checkpoint }) => {
            party.calls.push('create a');
            party.boxes.push({ id: 'box-1', name: 'a', size: 1, mark: '', key: '' });
            await checkpoint({ id: 'box-1' });
            return made;
          },
          { recover: async () => (party.boxes.length > 0 ? made : undefined) },
        );
      },
      terminate: () =>
        controller.guard(
          'deleting box a',
          async () => {
            party.calls.push('delete a');
            party.boxes.length = 0;
            return { status: 'Terminated', reason: 'box a is gone' };
          },
          { op: 'delete' },
        ),
    }),
  });
}

const component = { name: 'web', networks: [], template: { containers: [{ name: 'web', image: 'web:1' }] } };

const isAboutQuota =
  (resource: string) =>
  ({ type, message = '' }: Event): boolean =>
    type === 'Warning' && message.includes(`exceeded quota: quota, requested: ${resource}=1`);

for (const { name, client, close } of await startClientsUnderTest()) {
  test.after.always(`${name} stops`, close);

  const sequencing = async (
    integrations: readonly Integration[],
    work: () => Promise<void>,
    options: Pick<SequencerOptions, 'logger' | 'observer'> = {},
  ) => {
    const stopping = new AbortController();
    const running = createSequencer({ ...options, client, integrations, seal: aSeal, times }).run(stopping.signal);
    try {
      await work();
    } finally {
      stopping.abort();
      await running;
    }
  };

  for (const what of ['intent', 'outcome', 'checkpoint', 'beat', 'claim', 'mirror'] as const)
    test.serial(`${name}: a policy that refuses every ${what} is reported, and costs nothing but time`, async (t) => {
      t.timeout(180_000);
      const party = aThirdParty();
      await ensureCrds(client, [Workspace]);
      const lift = await refusingUpdates(client, {
        name: what,
        ...writesOfBoxes[what],
        message: `no client writes ${what}`,
      });
      const metrics = createMetrics();
      const { lines, logger } = noting();
      let lifted = false;
      const integration = keeperFor(what, party, () => lifted);
      await sequencing(
        [integration],
        async () => {
          await client.create(Workspace, { metadata: { namespace, name: what }, spec: boxes({ a: 1 }) });
          await workspaceThat(client, what, (workspace) => {
            const { status, reason } = conditionOf(workspace, 'Boxes');
            return seen[what].condition.test(`${status}: ${reason}`);
          });
          const told = await eventually(`the event about ${what}`, async () =>
            (await eventsAbout(client, { namespace, name: what })).find(({ reason }) => reason === seen[what].event),
          );
          t.regex(told.message ?? '', new RegExp(`no client writes ${what}`));
          const logged = lines.filter((line) => line.includes(`no client writes ${what}`));
          t.true(logged.length > 0, 'the log has the server’s words');
          const before = await refusedWrites(metrics, what);
          await new Promise((resolve) => setTimeout(resolve, 5_000));
          const more = (await refusedWrites(metrics, what)) - before;
          t.true(before > 0 && more <= 10, `${before} refused writes, and ${more} in five seconds`);
          await lift();
          lifted = true;
          await workspaceThat(client, what, isReady);
          t.is(party.boxes.length, 1);
          await client.delete(Workspace, { namespace, name: what });
          await workspaceGone(client, what);
          t.deepEqual(party.calls, ['create a', 'delete a']);
        },
        { logger, observer: metrics.observer },
      );
    });

  test.serial(
    `${name}: a quota without room for Secrets and pods is reported, and costs no second thing`,
    async (t) => {
      t.timeout(180_000);
      const party = aThirdParty();
      const plain = party.resource('tag');
      const withSecret = party.resource('tag', {
        create: async (...given) => ({ ...(await plain.create(...given)), secret: { token: 'hush-hush' } }),
      });
      await ensureCrds(client, [Workspace]);
      await client.create(Namespace, { metadata: { name: 'full' } });
      await setQuota(client, 'full', { secrets: '0', pods: '0' });
      const key = { namespace: 'full', name: 'shop' };
      await sequencing([boxKeeper(withSecret), components()], async () => {
        await client.create(Workspace, { metadata: key, spec: { ...boxes({ a: 1 }), components: [component] } });
        for (const [type, resource] of [
          ['Components', 'pods'],
          ['Boxes', 'secrets'],
        ] as const) {
          const isTold = async () => {
            const { status, reason } = conditionOf(await client.get(Workspace, key), type);
            return (status === 'Error' && reason.startsWith(`${resource} "shop-`)) || undefined;
          };
          await eventually(`the condition ${type}`, isTold);
          const events = async () => (await eventsAbout(client, key)).filter(isAboutQuota(resource));
          await eventually(`a warning about ${resource}`, async () => (await events()).length > 0 || undefined);
        }
        await setQuota(client, 'full', { secrets: '10', pods: '10' });
        await eventually('ready', async () => (isReady(await client.get(Workspace, key)) ? true : undefined));
        t.deepEqual(party.calls, ['create a']);
        const secret = await client.get(Secret, { namespace: 'full', name: 'shop-boxes-a' });
        t.is(atob(secret.data?.token ?? ''), 'hush-hush');
        await client.delete(Workspace, key);
        await eventually('gone', async () =>
          (await client.list(Workspace, key)).items.length === 0 ? true : undefined,
        );
        t.deepEqual(party.boxes, []);
      });
    },
  );

  test.serial(
    `${name}: a webhook that does not answer about statuses is reported, and costs nothing but time`,
    async (t) => {
      t.timeout(180_000);
      const party = aThirdParty();
      await ensureCrds(client, [Workspace]);
      const lift = await silentWebhook(client, { resource: 'workspaces/status' });
      await sequencing([boxKeeper(party.resource('tag'))], async () => {
        await client.create(Workspace, { metadata: { namespace, name: 'slow' }, spec: boxes({ a: 1 }) });
        const told = await eventually('the event', async () =>
          (await eventsAbout(client, { namespace, name: 'slow' })).find(({ reason }) => reason === 'WriteRefused'),
        );
        t.regex(told.message ?? '', /silent\.example\.com/);
        await lift();
        await workspaceThat(client, 'slow', isReady);
        await client.delete(Workspace, { namespace, name: 'slow' });
        await workspaceGone(client, 'slow');
        t.deepEqual(party.calls, ['create a', 'delete a']);
      });
    },
  );
}
