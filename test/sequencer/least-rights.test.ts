import test from 'ava';
import { components } from '../../integrations/components/index.ts';
import { createClient, ensureCrds, Workspace } from '../../sdk/index.ts';
import { createSequencer } from '../../sequencer/index.ts';
import { accessOf } from '../../sequencer/run/access.ts';
import { createCluster } from '../cluster/index.ts';
import { until } from '../real/until.ts';

/** Rights that an undisturbed run never uses; each is needed after some failure or restart. */
const onlyInTrouble = new Set([
  'get workspaces', // looks for an own write after a lost answer
  'patch events', // the same event again
  'get pods', // one of that name exists: checks its owner
  'get services',
  'patch services', // a changed spec
  'list workspaces', // a server without streaming lists
  'list pods',
  'list services',
]);

test('a life of components uses every right that is derived for it but those for trouble, and no other', async (t) => {
  const cluster = await createCluster();
  t.teardown(() => cluster.close());
  const admin = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  await ensureCrds(admin, [Workspace]);
  const client = createClient({
    server: cluster.url,
    dispatcher: cluster.dispatcherAs({ name: 'operator', groups: ['system:masters'] }),
  });
  const stop = new AbortController();
  const integrations = [components()];
  const running = createSequencer({ client, integrations }).run(stop.signal);
  const key = { namespace: 'default', name: 'shop' };
  const template = { containers: [{ name: 'a', image: 'example.test/a:1' }] };
  const networks = [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' as const }];
  await admin.create(Workspace, { metadata: key, spec: { components: [{ name: 'web', networks, template }] } });
  const ready = async () => (await admin.get(Workspace, key)).status?.phase === 'Healthy' || undefined;
  await until(ready, { message: () => 'not healthy' });
  await admin.delete(Workspace, key);
  await until(async () => (await admin.list(Workspace)).items.length === 0 || undefined, { message: () => 'not gone' });
  stop.abort();
  await running;

  const said = (verbs: readonly string[], resource: string) => verbs.map((verb) => `${verb} ${resource}`);
  const used = new Set(
    cluster.audit.verbsUsed({ user: 'operator' }).flatMap(({ verbs, resource }) => said(verbs, resource)),
  );
  const granted = new Set(
    accessOf({ integrations, leaderElection: false }).flatMap(({ rule }) => said(rule.verbs, rule.resources[0]!)),
  );
  granted.delete('update workspaces/finalizers'); // required by the admission plug-in OwnerReferencesPermissionEnforcement
  t.deepEqual(
    [...used].filter((one) => !granted.has(one)),
    [],
    'used, and not granted',
  );
  const unused = [...granted].filter((one) => !used.has(one) && !onlyInTrouble.has(one));
  t.deepEqual(unused, [], 'granted for nothing');
});
