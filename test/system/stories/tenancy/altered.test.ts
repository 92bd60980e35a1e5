import test from 'ava';
import { createMemoryDnsProvider, memoryDns } from '../../../../integrations/memory/dns.ts';
import { type EventSink, ensureCrds, Workspace } from '../../../../sdk/index.ts';
import { eventually, isReady, startSequencer, workspaceGone, workspaceThat } from '../sequencing.ts';
import { startClientsUnderTest } from '../servers.ts';
import { serveWebhooks } from '../webhooks/webhook-servers.ts';
import { putWorkspace } from './a-tenant.ts';

for (const { name, client, close } of await startClientsUnderTest()) {
  test.after.always(`${name} stops`, close);

  test.serial(`${name}: a policy that strips finalizers is told of, and costs nothing once it is gone`, async (t) => {
    await ensureCrds(client, [Workspace]);
    let isStrict = true;
    const provider = createMemoryDnsProvider();
    const told: string[] = [];
    const events: EventSink = { event: (...[, , reason, text]) => void told.push(`${reason}: ${text}`) };
    await serveWebhooks(t, {
      client,
      name: 'policy',
      webhooks: [
        {
          type: 'default',
          kind: Workspace,
          rules: { operations: ['UPDATE'] },
          handle: ({ metadata }) => {
            if (isStrict) metadata.finalizers = [];
          },
        },
      ],
    });
    const sequencer = await startSequencer(client, [memoryDns({ provider, target: '192.0.2.1' })], { events });
    await putWorkspace(client, { namespace: 'default', name: 'shop' });
    await eventually('the stripped claim is told of', async () =>
      told.find((text) => /^WriteRefused: .*\/metadata\/finalizers is not what was written/.test(text)),
    );
    t.deepEqual(provider.records(), []);
    isStrict = false;
    await workspaceThat(client, 'shop', isReady);
    t.true(provider.records().length > 0);
    await client.delete(Workspace, { namespace: 'default', name: 'shop' });
    await workspaceGone(client, 'shop');
    t.deepEqual(provider.records(), []);
    await sequencer.stop();
  });
}
