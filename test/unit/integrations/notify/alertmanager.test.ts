import test from 'ava';
import {
  type AlertmanagerSilencesOptions,
  alertmanagerSilences,
} from '../../../../integrations/notify/alertmanager.ts';
import { conditionOf, Workspace } from '../../../../sdk/index.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';
import { aSlowPart } from './fixtures/a-slow-part.ts';
import { alertmanagerStandIn } from './fixtures/alertmanager-stand-in.ts';

/** Environment of one slow part, with its silences. */
async function anEnvironment(options: Partial<AlertmanagerSilencesOptions> = {}) {
  const stage = await aTargetCluster();
  const server = alertmanagerStandIn(stage.clock);
  const part = aSlowPart();
  const { fetch } = server;
  const url = 'https://alerts.example.test';
  const silences = alertmanagerSilences({ url, workspaces: 'all', fetch, clock: stage.clock, ...options });
  const actor = stage.actor([part.integration, silences]);
  await stage.create();
  return {
    ...stage,
    server,
    part,
    actor,
    /** Walks some times, seconds apart. */
    async walks(times = 3) {
      for (let walk = 0; walk < times; walk += 1) {
        await actor.walk();
        await stage.clock.advance(5_000);
      }
    },
    active: () => server.silences().filter(({ status }) => status.state === 'active'),
    said: async () => {
      const { status, reason } = conditionOf(await stage.read(), 'Silenced');
      return `${status}: ${reason}`;
    },
  };
}

test('an environment is silent while it is made, changed and deleted, and only then', async (t) => {
  const { walks, active, said, part, client, delete: remove, read } = await anEnvironment();
  await walks();
  t.like(active(), { length: 1, 0: { createdBy: 'workspace-sequencer' } });
  t.deepEqual(
    active()[0]!.matchers.map(({ name, value, isRegex }) => [name, value, isRegex]),
    [
      ['namespace', 'default', false],
      ['workspace', 'shop', false],
    ],
  );
  t.regex(
    active()[0]!.comment,
    /^Environment default\/shop is being changed \(until .*Z, se\.quencer\.io [0-9a-f-]+\/Silenced\/\)$/,
  );
  part.state = 'there';
  await walks();
  t.deepEqual([active().length, await said()], [0, 'Completed: no silence is wanted']);
  part.state = 'on its way';
  await client.patch(
    Workspace,
    { namespace: 'default', name: 'shop' },
    {
      type: 'merge',
      value: { spec: { integrations: { part: {} } } },
    },
  );
  await walks();
  t.is(active().length, 1);
  part.state = 'there';
  await walks();
  t.is(active().length, 0);
  await remove();
  await walks();
  t.is(active().length, 1, 'while parts are going');
  part.state = 'gone';
  await walks(4);
  t.is(active().length, 0);
  await t.throwsAsync(read());
});

test('what has failed is not silent', async (t) => {
  const { walks, active, part } = await anEnvironment();
  part.state = 'failed';
  await walks();
  t.is(active().length, 0);
});

test('a silence that others end comes back; one that has ended by time does not', async (t) => {
  const { walks, active, server, clock, actor } = await anEnvironment({ maxDuration: 600_000 });
  await walks(1);
  server.expire(active()[0]!.id);
  await clock.advance(60_000);
  await walks(1);
  t.is(active().length, 1);
  t.true(actor.events.some(({ reason }) => reason === 'Drifted'));
  await clock.advance(600_000);
  await walks();
  t.deepEqual([active().length, server.silences().length], [0, 2]);
  server.clear();
  await clock.advance(60_000);
  await walks();
  t.is(server.silences().length, 0, 'nor when the server has forgotten it');
});

test('a silence with other labels takes the place of the former one', async (t) => {
  const labels = ({ spec }: Workspace) => ({ team: String(spec.integrations?.team ?? 'red') });
  const { walks, active, client, server } = await anEnvironment({ labels });
  await walks();
  await client.patch(
    Workspace,
    { namespace: 'default', name: 'shop' },
    {
      type: 'merge',
      value: { spec: { integrations: { team: 'blue' } } },
    },
  );
  await walks();
  t.deepEqual(
    active().map(({ matchers }) => matchers[0]!.value),
    ['blue'],
  );
  t.is(server.silences().length, 2);
});

for (const [labels, expected] of [
  [() => ({}), /with 1 to 16 labels: without one all alerts would be silent; found 0/],
  [() => ({ 'a"b': 'c' }), /named as Prometheus names labels; found "a\\"b"/],
  [() => ({ team: '' }), /with texts of 1 to 253 characters; team is ""/],
  [() => undefined, /must return an object \{ label: value \}; found nothing/],
] as readonly (readonly [AlertmanagerSilencesOptions['labels'], RegExp])[])
  test(`labels are checked: ${expected.source}`, async (t) => {
    const { walks, said, server, delete: remove, part, read } = await anEnvironment({ labels: labels! });
    await walks();
    t.regex(await said(), expected);
    t.is(server.silences().length, 0);
    await remove();
    part.state = 'gone';
    await walks(4);
    await t.throwsAsync(read());
  });
