import test, { type ExecutionContext } from 'ava';
import { type IngressOptions, ingress } from '../../../../integrations/ingress/index.ts';
import { type RouteKind, type RouteObject, routeKinds } from '../../../../integrations/ingress/kinds.ts';
import { checkedIngressOptions } from '../../../../integrations/ingress/options.ts';
import { pathNames } from '../../../../integrations/ingress/path-conflicts.ts';
import { conditionOf, Workspace, type WorkspaceSpec } from '../../../../sdk/index.ts';
import { createSequencer } from '../../../../sequencer/run/sequencer.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';
import { aWorkspace } from '../../a-workspace.ts';
import { component, rule } from '../fixtures/an-ingress-spec.ts';
import { serveGatewayApi } from './gateway-definitions.ts';

const specOf = (paths: readonly string[], className = 'nginx'): WorkspaceSpec => ({
  components: [component('web', 80)],
  networking: {
    dns: { zone: 'example.test' },
    ingress: {
      className,
      rules: paths.map((path) => rule('web', { name: `at${path.replace('/', '-')}x`, subdomain: 'shop', path })),
    },
  },
});

/** Workspaces `team-a/one` and `team-b/two`, walked by a sequencer whose clock stands still but for the second between their creations. */
async function aContest(t: ExecutionContext, options: IngressOptions = {}) {
  const { client, clock, cluster } = await aTargetCluster();
  if (options.gateway !== undefined) await serveGatewayApi(client);
  const stop = new AbortController();
  const integrations = [ingress({ className: ['nginx', 'internal'], ...options })];
  const sequencer = createSequencer({ client, clock, integrations, random: () => 0.5, events: { event: () => {} } });
  const running = sequencer.run(stop.signal);
  const settled = async () => {
    for (let turn = 0; turn < 40; turn += 1) await clock.advance(0);
  };
  await settled();
  t.teardown(async () => {
    stop.abort();
    await Promise.all([running, clock.advance(20_000)]);
    await cluster.close();
  });
  const keys = { one: { namespace: 'team-a', name: 'one' }, two: { namespace: 'team-b', name: 'two' } } as const;
  for (const { namespace } of Object.values(keys))
    await client.create(
      { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false },
      { metadata: { name: namespace } },
    );
  type Which = keyof typeof keys;
  return {
    async create(which: Which, spec: WorkspaceSpec) {
      await clock.advance(1000);
      await client.create(Workspace, { metadata: keys[which], spec });
      await settled();
    },
    async change(which: Which, value: WorkspaceSpec) {
      const operations = [{ op: 'replace', path: '/spec', value }] as const;
      await client.patch(Workspace, keys[which], { type: 'json', operations });
      await settled();
    },
    async remove(which: Which) {
      await client.delete(Workspace, keys[which]);
      await settled();
    },
    async said(which: Which) {
      const { status, reason } = conditionOf(await client.get(Workspace, keys[which]), 'Ingress');
      return `${status}: ${reason}`;
    },
    async routes(kind: RouteKind = 'Ingress') {
      const { items } = await client.list<RouteObject>(routeKinds[kind]);
      return items.map(({ metadata }) => metadata.namespace).sort();
    },
  };
}

const taken = (path: string, theirs: string, mine: string) =>
  `Error: spec.networking.ingress.rules: shop.example.test${path} is asked for by workspace ${theirs} too, which was first: take it out there, or ask for another host or path in ${mine}`;

test('of two workspaces that ask for one host the first has it, the other names it, and gets it once it is gone', async (t) => {
  const { create, remove, said, routes } = await aContest(t);
  await create('one', specOf(['/']));
  await create('two', specOf(['/']));
  t.is(await said('one'), 'Completed: Ingress of shop.example.test');
  t.is(await said('two'), taken('/', 'team-a/one', 'team-b/two'));
  t.deepEqual(await routes(), ['team-a']);
  await remove('one');
  t.is(await said('two'), 'Completed: Ingress of shop.example.test', 'nothing but the deletion has called for that');
  t.deepEqual(await routes(), ['team-b']);
});

test('an older workspace that asks later does not take what a younger one has, and gets it when that asks for something else', async (t) => {
  const { create, change, said, routes } = await aContest(t);
  await create('one', specOf(['/old']));
  await create('two', specOf(['/']));
  await change('one', specOf(['/']));
  t.is(await said('one'), taken('/', 'team-b/two', 'team-a/one'));
  t.is(await said('two'), 'Completed: Ingress of shop.example.test');
  t.deepEqual(await routes(), ['team-a', 'team-b'], 'what was there stays while a person decides');
  await change('two', specOf(['/other']));
  t.is(await said('one'), 'Completed: Ingress of shop.example.test');
  t.is(await said('two'), 'Completed: Ingress of shop.example.test');
});

test('one that is in the way of itself no more is let go though another has its host', async (t) => {
  const { create, remove, said } = await aContest(t);
  await create('one', specOf(['/']));
  await create('two', specOf(['/']));
  await remove('two');
  await t.throwsAsync(said('two'), { name: 'NotFoundError' });
  t.is(await said('one'), 'Completed: Ingress of shop.example.test');
});

test('other paths of a host, and other classes, may be another workspace’s', async (t) => {
  const { create, change, said } = await aContest(t);
  await create('one', specOf(['/']));
  await create('two', specOf(['/api']));
  t.is(await said('two'), 'Completed: Ingress of shop.example.test');
  await change('two', specOf(['/'], 'internal'));
  t.is(await said('two'), 'Completed: Ingress of shop.example.test');
});

test('a path of an HTTPRoute is taken alike', async (t) => {
  const { create, remove, said, routes } = await aContest(t, { gateway: { name: 'edge', namespace: 'infra' } });
  await create('one', specOf(['/a', '/b'], 'nginx'));
  await create('two', specOf(['/c', '/b'], 'internal'));
  t.is(await said('two'), taken('/b', 'team-a/one', 'team-b/two'));
  t.deepEqual(await routes('HTTPRoute'), ['team-a']);
  await remove('one');
  t.is(await said('two'), 'Completed: HTTPRoute of shop.example.test');
});

test('a workspace with a mistake in it asks for nothing', (t) => {
  const options = checkedIngressOptions({ className: 'internal', gateway: { name: 'edge' } });
  const workspace = (spec: WorkspaceSpec) => ({
    ...aWorkspace({ name: 'one', spec }),
    metadata: { name: 'one', namespace: 'team-a' },
  });
  t.deepEqual(pathNames(workspace(specOf(['/'])), options), [
    'Ingress internal shop.example.test/',
    'HTTPRoute team-a/edge/ shop.example.test/',
  ]);
  t.deepEqual(pathNames(workspace({ ...specOf(['/']), components: [] }), options), []);
});
