import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { parse } from 'yaml';
import { components } from '../../../integrations/components/index.ts';
import { createMemoryDnsProvider, memoryDns } from '../../../integrations/memory/dns.ts';
import { type Client, type KubeObject, type NewObject, Pod, Service, Workspace } from '../../../sdk/index.ts';
import {
  connectTo,
  eventually,
  historyOf,
  isReady,
  startSequencer,
  statusesOf,
  workspaceGone,
  workspaceThat,
} from './sequencing.ts';
import { type StoryServer, startServersUnderTest } from './servers.ts';

const example = parse(readFileSync(join(import.meta.dirname, '../../../examples/workspace.yaml'), 'utf8')) as Workspace;
const exampleNamed = (name: string): NewObject<Workspace> => ({ ...example, metadata: { name, namespace: 'default' } });

/** Names of a workspace's objects in the cluster. */
async function objectsOf(client: Client, workspace: string): Promise<readonly string[]> {
  const labels = `workspaces.sequencer.io/instance=${workspace}`;
  const [pods, services] = [
    await client.list(Pod, { namespace: 'default', labels }),
    await client.list(Service, { namespace: 'default', labels }),
  ];
  return [...pods.items, ...services.items].map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort();
}

interface SeenEvent extends KubeObject {
  readonly regarding?: { readonly name?: string };
  readonly reason?: string;
}

/** Reasons of the events about a workspace. */
async function eventsAbout(client: Client, workspace: string): Promise<readonly string[]> {
  const list = (await client.raw('GET', '/apis/events.k8s.io/v1/namespaces/default/events')) as {
    readonly items: readonly SeenEvent[];
  };
  return list.items.filter(({ regarding }) => regarding?.name === workspace).map(({ reason = '' }) => reason);
}

/** Sequence of distinct states. */
const steps = (
  history: readonly Workspace[],
  stateOf: (workspace: Workspace) => string | undefined,
): readonly (string | undefined)[] =>
  history
    .map(stateOf)
    .filter((state) => state !== undefined)
    .filter((state, index, all) => state !== all[index - 1]);

/** Starts a sequencer on a server with a third party of its own. */
async function scene(server: StoryServer) {
  const client = await connectTo(server);
  const provider = createMemoryDnsProvider({ latency: 5 });
  return { client, provider, sequencer: await startSequencer(client, [components(), memoryDns({ provider })]) };
}

const servers = await startServersUnderTest();
const scenes = await Promise.all(servers.map(scene));

for (const [index, { name, close }] of servers.entries()) {
  const { client, provider, sequencer } = scenes[index]!;
  test.after.always(`${name} stops`, async () => {
    await sequencer.stop();
    await client.close();
    await close();
  });
  const published = (workspace: string) =>
    provider
      .records()
      .filter((record) => record.name.startsWith(`${workspace}.`))
      .map(({ name: record, type, target }) => `${record} ${type} ${target}`);
  const change = (workspace: string, value: object) =>
    client.patch(Workspace, { namespace: 'default', name: workspace }, { type: 'merge', value });

  test(`${name}: a workspace walks to Ready and back, and nothing is left`, async (t) => {
    const made = await client.create(Workspace, exampleNamed('there-and-back'));
    const ready = await workspaceThat(client, 'there-and-back', isReady);

    t.like(ready.status, { phase: 'Healthy', observedGeneration: 1, host: 'there-and-back.example.com' });
    t.deepEqual(statusesOf(ready), { Components: 'Completed', DNS: 'Completed', Ready: 'True' });
    for (const { type, observedGeneration, reason, lastTransitionTime } of ready.status?.conditions ?? []) {
      t.is(observedGeneration, 1, type);
      t.not(reason, '', type);
      t.true(Date.parse(lastTransitionTime) >= Date.parse(made.metadata.creationTimestamp!), type);
    }
    t.deepEqual(ready.metadata.finalizers, ['se.quencer.io/components', 'se.quencer.io/memory-dns']);
    t.deepEqual(await objectsOf(client, 'there-and-back'), [
      'Pod there-and-back-db',
      'Pod there-and-back-web',
      'Service there-and-back-db-sql',
      'Service there-and-back-web-http',
    ]);
    t.deepEqual(published('there-and-back'), ['there-and-back.example.com A 127.0.0.1']);
    const [pod] = (await client.list(Pod, { fields: 'metadata.name=there-and-back-web' })).items;
    t.like(pod?.spec?.containers[0]?.env?.[0], { value: 'there-and-back-db-sql.default.svc:5432' });
    t.like(pod?.metadata.ownerReferences?.[0], { uid: made.metadata.uid, controller: true });
    await eventually('events of both conditions', async () => {
      const reasons = await eventsAbout(client, 'there-and-back');
      return (reasons.includes('ComponentsCompleted') && reasons.includes('DNSCompleted')) || undefined;
    });

    t.is(await client.delete(Workspace, { namespace: 'default', name: 'there-and-back' }), 'deleting');
    await workspaceGone(client, 'there-and-back');
    t.deepEqual(await objectsOf(client, 'there-and-back'), []);
    t.deepEqual(published('there-and-back'), []);

    const history = await historyOf(client, 'there-and-back', made.metadata.resourceVersion!);
    t.deepEqual(
      steps(history, ({ status }) => status?.phase),
      ['Deploying', 'Healthy', 'Terminating'],
    );
    t.deepEqual(
      steps(history, (workspace) => statusesOf(workspace).DNS),
      ['Initialized', 'Locked', 'Completed', 'Locked', 'Terminated'],
    );
    t.deepEqual(
      steps(history, (workspace) => statusesOf(workspace).Ready),
      ['False', 'True', 'False'],
    );
    const early = history.find((one) => statusesOf(one).DNS === 'Locked');
    t.is(statusesOf(early!).Components, 'Completed', 'one after the other');
    const late = history.find((one) => statusesOf(one).Components === 'Terminated');
    t.is(statusesOf(late!).DNS, 'Terminated', 'and back in reverse');
  });

  test(`${name}: a changed spec walks again, and what is no longer requested is pruned`, async (t) => {
    await client.create(Workspace, exampleNamed('changed'));
    await workspaceThat(client, 'changed', isReady);
    const database = example.spec.components![0]!;
    const rules = [{ ...example.spec.networking!.ingress!.rules![0]!, component: 'db', network: 'sql' }];
    await change('changed', {
      spec: { components: [database], networking: { ingress: { rules: [{ ...rules[0], subdomain: 'changed.eu' }] } } },
    });

    const second = await workspaceThat(client, 'changed', (one) => isReady(one) && one.metadata.generation === 2);
    t.like(second.status, { phase: 'Healthy', observedGeneration: 2, host: 'changed.eu.example.com' });
    for (const { type, observedGeneration } of second.status?.conditions ?? []) t.is(observedGeneration, 2, type);
    await eventually('web is pruned', async () =>
      (await objectsOf(client, 'changed')).join() === 'Pod changed-db,Service changed-db-sql' ? true : undefined,
    );
    t.deepEqual(published('changed'), ['changed.eu.example.com A 127.0.0.1']);

    await client.delete(Workspace, { namespace: 'default', name: 'changed' });
    await workspaceGone(client, 'changed');
    t.deepEqual(await objectsOf(client, 'changed'), []);
  });
}
