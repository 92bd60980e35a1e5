import test, { type ExecutionContext } from 'ava';
import { type Client, claimOf, type ManagementPolicy, UserError, Workspace } from '../../../../../sdk/index.ts';
import { type DrainOptions, drainWorkspaces } from '../../../../../sequencer/cli/drain/drain-workspaces.ts';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';
import { aTargetCluster, refusing } from '../../../a-target-cluster.ts';
import { boxes, times } from '../../../sdk/provider/a-keeper.ts';
import { aThirdParty, boxKeeper } from '../../../sdk/provider/a-third-party.ts';
import { aCluster } from '../a-terminal.ts';

async function aPlace(t: ExecutionContext) {
  const clock = createManualClock();
  const { cluster, client } = await aCluster();
  const answered = (method: string, code: number) =>
    refusing({ cluster }, (request) => request.method === method && /workspaces/.test(request.url), {
      code,
      reason: '',
      message: `answers ${code}`,
    });
  t.teardown(() => cluster.close());
  const lines: string[] = [];
  const options = {
    client,
    clock,
    orphan: false,
    timeout: 60_000,
    signal: new AbortController().signal,
    print: (line: string) => void lines.push(line),
  };
  const drained = (more: Partial<DrainOptions> = {}) => drainWorkspaces({ ...options, ...more });
  return { clock, client, lines, drained, answered };
}

const key = (name: string, namespace = 'default') => ({ namespace, name });
const made = (client: Client, name: string, finalizers: readonly string[] = []) =>
  client.create(Workspace, { metadata: { ...key(name), finalizers }, spec: {} });
const released = (client: Client, name: string) =>
  client.patch(Workspace, key(name), { type: 'merge', value: { metadata: { finalizers: [] } } });

test('all are deleted, also one that comes meanwhile, and each is reported when it is gone', async (t) => {
  const { clock, client, lines, drained } = await aPlace(t);
  await made(client, 'free');
  await made(client, 'held', [claimOf('acme')]);
  const draining = drained();
  await clock.advance(1000);
  await made(client, 'late');
  await clock.advance(1000);
  t.deepEqual(
    (await client.list(Workspace)).items.map(({ metadata }) => metadata.name),
    ['held'],
  );
  await clock.advance(1000);
  await released(client, 'held');
  await clock.advance(1000);
  await draining;
  t.deepEqual(
    lines
      .slice(1)
      .map((line) => line.split(/ +/)[0])
      .toSorted(),
    ['default/free', 'default/held', 'default/late'],
  );
  t.is(lines.at(-1), 'default/held  gone, 0 left');
});

test('workspaces of other classes are left alone, and told: they need the definitions', async (t) => {
  const { clock, client, lines, drained } = await aPlace(t);
  await made(client, 'plain');
  for (const className of ['blue', 'green'])
    await client.create(Workspace, { metadata: key(className), spec: { className } });
  const names = async () => (await client.list(Workspace)).items.map(({ metadata }) => metadata.name);
  const stays = (name: string) => `more workspaces need the definitions: sequencer drain --class ${name}`;
  for (const [className, left] of [
    [undefined, ['blue', 'green']],
    ['blue', ['green']],
  ] as const) {
    const draining = drained({ className });
    await clock.advance(2000);
    await draining;
    t.deepEqual(await names(), left);
    t.deepEqual(lines.filter((line) => line.includes('definitions')).slice(-left.length), left.map(stays));
  }
});

test('of a selector only those with its labels are deleted, and the others told', async (t) => {
  const { clock, client, lines, drained } = await aPlace(t);
  for (const tier of ['gold', 'silver'])
    await client.create(Workspace, { metadata: { ...key(tier), labels: { tier } }, spec: {} });
  const draining = drained({ selector: 'tier in (gold)' });
  await clock.advance(2000);
  await draining;
  t.like((await client.list(Workspace)).items, [{ metadata: { name: 'silver' } }]);
  t.is(lines.at(-1), 'more workspaces need the definitions: sequencer drain');
});

test('what is left when the time is up is reported with its conditions and its claims', async (t) => {
  const { clock, client, drained } = await aPlace(t);
  await made(client, 'held', [claimOf('acme')]);
  const conditions = [
    { type: 'DNS', status: 'Error', reason: 'the zone is gone', lastTransitionTime: '2026-01-01T00:00:00Z' },
    { type: 'Pods', status: 'Terminated', reason: 'gone', lastTransitionTime: '2026-01-01T00:00:00Z' },
  ];
  await client.patch(
    Workspace,
    key('held'),
    { type: 'merge', value: { status: { conditions } } },
    { subresource: 'status' },
  );
  const draining = t.throwsAsync<UserError>(drained({ timeout: 5000 }), { instanceOf: UserError });
  await clock.advance(10_000);
  const error = await draining;
  t.is(error.code, 'E#2033');
  t.regex(
    error.hint ?? '',
    /^default\/held {2}DNS {2}Error: the zone is gone\ndefault\/held {2}is claimed by se\.quencer\.io\/acme\nwithout a running operator/,
  );
});

test('a server that gives no list for a while is reported once, and asked again', async (t) => {
  const { clock, client, lines, drained, answered } = await aPlace(t);
  await made(client, 'held', [claimOf('acme')]);
  const draining = drained();
  await clock.advance(500);
  const lists = answered('GET', 503);
  await clock.advance(4000);
  t.true(lists.count > 1);
  lists.over = true;
  await clock.advance(1000);
  await released(client, 'held');
  await clock.advance(2000);
  await draining;
  t.deepEqual(lines, [
    '1 to delete',
    'the API server lists no workspaces, retrying: answers 503',
    'the API server answers again',
    'default/held  gone, 0 left',
  ]);
});

test('a server that fails until the time is up is its end, and one that fails at first is reported at once', async (t) => {
  const { clock, client, drained, answered } = await aPlace(t);
  await made(client, 'held', [claimOf('acme')]);
  const draining = t.throwsAsync(drained({ timeout: 5000 }), { message: 'answers 503' });
  await clock.advance(1500);
  answered('GET', 503);
  await clock.advance(10_000);
  await draining;
  await t.throwsAsync(drained(), { message: 'answers 503' });
});

test('what another one has deleted in between is not a refusal', async (t) => {
  const { clock, client, lines, drained, answered } = await aPlace(t);
  await made(client, 'held', [claimOf('acme')]);
  const gone = answered('DELETE', 404);
  const draining = drained();
  await clock.advance(1500);
  t.true(gone.count > 0);
  gone.over = true;
  await clock.advance(1000);
  await released(client, 'held');
  await clock.advance(2000);
  await draining;
  t.is(lines.at(-1), 'default/held  gone, 0 left');
});

for (const annotations of [{}, { 'se.quencer.io/policy': 'observeOnly' }] as readonly Record<string, string>[])
  test(`with --orphan what stays outside is printed once, and the policy says so to the next holder; its annotations were ${JSON.stringify(annotations)}, as by an earlier drain`, async (t) => {
    const { clock, client, lines, drained } = await aPlace(t);
    await client.create(Workspace, {
      metadata: { ...key('held'), annotations, finalizers: [claimOf('acme')] },
      spec: {},
    });
    const guards = { DNS: { phase: 'done', op: 'create', key: 'k', token: 1, holder: 'h', refs: [{ id: 'rec-1' }] } };
    const value = { status: { guards } };
    await client.patch(Workspace, key('held'), { type: 'merge', value }, { subresource: 'status' });
    const draining = drained({ orphan: true });
    await clock.advance(3000);
    t.is((await client.get(Workspace, key('held'))).metadata.annotations?.['se.quencer.io/policy'], 'observeOnly');
    await released(client, 'held');
    await clock.advance(2000);
    await draining;
    const said = 'default/held  DNS  stays outside: [{"id":"rec-1"}]';
    t.deepEqual(lines, ['1 to delete', said, 'default/held  gone, 0 left']);
  });

test('another namespace is left alone', async (t) => {
  const { client, drained } = await aPlace(t);
  await made(client, 'shop');
  await drained({ namespace: 'team-a' });
  t.is((await client.list(Workspace)).items.length, 1);
});

/** Drains a workspace with a box under --orphan, walked by a sequencer with this policy. @returns how it ended, and the lines */
async function orphaned(annotations: Readonly<Record<string, string>>, policy?: ManagementPolicy) {
  const [target, party] = [await aTargetCluster(), aThirdParty()];
  const keeper = boxKeeper(party.resource('tag'));
  await target.create(boxes({ a: 1 }));
  await target.actor([keeper], { times }).walk();
  await target.client.patch(Workspace, key('shop'), { type: 'merge', value: { metadata: { annotations } } });
  const actor = target.actor([{ ...keeper, ...(policy && { policy }) }], { times, holder: 'two' });
  const lines: string[] = [];
  const { client, clock } = target;
  const { signal } = new AbortController();
  const print = (line: string) => void lines.push(line);
  const draining = drainWorkspaces({ client, clock, signal, orphan: true, timeout: 4000, print }).then(
    () => 'drained',
    ({ hint }: UserError) => hint,
  );
  for (let second = 0; second < 6; second += 1) {
    await clock.advance(1000);
    await actor.walk();
  }
  return { ended: await draining, lines, boxes: party.boxes.length };
}

for (const [title, annotations, policy] of [
  ['plan in the config', {}, 'plan'],
  ['plan for one condition', { 'policy.se.quencer.io/Boxes': 'plan' }, undefined],
  ['plan for all', { 'se.quencer.io/policy': 'plan' }, undefined],
  ['a policy that is none', { 'policy.se.quencer.io/Boxes': 'Orphan' }, undefined],
  ['a pause', { 'se.quencer.io/paused': 'true' }, undefined],
] as const)
  test(`--orphan ends a workspace under ${title}, and what is outside stays`, async (t) => {
    const { ended, lines, boxes: left } = await orphaned(annotations, policy);
    t.is(ended, 'drained');
    t.deepEqual(lines.slice(-1), ['default/shop  gone, 0 left']);
    t.is(left, 1);
  });

test('one whose deletion is refused does not hold the others back, and is reported when it alone is left', async (t) => {
  const target = await aTargetCluster();
  const { client, clock } = target;
  for (const name of ['a', 'b', 'c']) await target.create({}, name);
  const message = 'admission webhook "keep" denied the request: a is protected';
  const matches = ({ method, url }: { method: string; url: string }) =>
    method === 'DELETE' && url.endsWith('/workspaces/a');
  refusing(target, matches, { code: 403, reason: 'Forbidden', message });
  const { signal } = new AbortController();
  const draining = t.throwsAsync<UserError>(
    drainWorkspaces({ client, clock, signal, orphan: false, timeout: 60_000, print: () => undefined }),
    { instanceOf: UserError },
  );
  await clock.advance(2000);
  const { code, hint } = await draining;
  t.is(code, 'E#2033');
  t.true(hint?.startsWith(`default/a  is not deleted: ${message}\ndefault/a  is claimed by no integration\n`), hint);
  t.deepEqual(
    (await client.list(Workspace)).items.map(({ metadata }) => metadata.name),
    ['a'],
  );
});
