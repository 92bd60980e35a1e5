import test from 'ava';
import { createMemoryDnsProvider, memoryDns } from '../../../../integrations/memory/dns.ts';
import { conditionOf, ensureCrds, Workspace, type WorkspaceSpec } from '../../../../sdk/index.ts';
import { createSequencer } from '../../../../sequencer/index.ts';
import { aSeal } from '../../../unit/a-seal.ts';
import { workspaceGone, workspaceThat } from '../sequencing.ts';
import { startClientsUnderTest } from '../servers.ts';

const key = { namespace: 'default', name: 'shop' };
const times = { lease: 1_500, margin: 300, maxRequest: 500 };
const spec = {
  components: [
    {
      name: 'web',
      networks: [{ name: 'http', port: 80, targetPort: 8080 }],
      template: { containers: [{ name: 'web', image: 'web' }] },
    },
  ],
  networking: {
    dns: { zone: 'example.com' },
    ingress: { rules: [{ name: 'web', component: 'web', network: 'http' }] },
  },
} as unknown as WorkspaceSpec;

for (const { name, client, close } of await startClientsUnderTest()) {
  test.after.always(`${name} stops`, close);

  for (const [backup, deleted] of [
    ['with', 'later'],
    ['without', 'later'],
    ['with', 'at once'], // without finalizers nothing would keep it until a walk
  ] as const)
    test.serial(
      `${name}: DNS of a workspace restored ${backup} finalizers is the same, and nothing is left once it is deleted (${deleted})`,
      async (t) => {
        t.timeout(180_000);
        await ensureCrds(client, [Workspace]);
        const provider = createMemoryDnsProvider();
        const published = () => provider.records().map(({ owner: _, ...record }) => record);
        const integrations = [memoryDns({ provider, names: ['example.com'] })];
        const completed = () =>
          workspaceThat(client, key.name, (workspace) => conditionOf(workspace, 'DNS').status === 'Completed');
        const started = () => {
          const stopping = new AbortController();
          const running = createSequencer({ client, integrations, seal: aSeal, times }).run(stopping.signal);
          return async () => {
            stopping.abort();
            await running;
          };
        };
        let stop = started();
        try {
          await client.create(Workspace, { metadata: key, spec });
          const { metadata } = await completed();
          const before = published();
          t.true(before.length > 0);
          await stop();
          await client.patch(Workspace, key, { type: 'merge', value: { metadata: { finalizers: null } } });
          await client.delete(Workspace, key);
          const { annotations = {}, finalizers = [] } = metadata;
          await client.create(Workspace, {
            metadata: { ...key, annotations, finalizers: backup === 'with' ? finalizers : [] },
            spec,
          });
          if (deleted === 'at once') await client.delete(Workspace, key);
          stop = started();
          if (deleted === 'later') {
            const { uid } = (await completed()).metadata;
            t.not(uid, metadata.uid);
            t.deepEqual(published(), before);
            await client.delete(Workspace, key);
          }
          await workspaceGone(client, key.name);
          t.deepEqual(provider.records(), []);
        } finally {
          await stop();
        }
      },
    );
}
