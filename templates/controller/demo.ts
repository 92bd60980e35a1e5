// Shows the controller at work on a Kubernetes API in memory: `npm start`.
import { ConfigMap, createClient, ensureCrds, isDeleting, runOperator } from 'workspace-sequencer/sdk';
import { createCluster } from 'workspace-sequencer/test';
import { Website } from './website.ts';
import { createWebsiteController } from './website-controller.ts';

const key = { namespace: 'default', name: 'hello' };
const cluster = await createCluster();
const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
await ensureCrds(client, [Website]);
const stopping = new AbortController();
const running = runOperator({ controllers: [createWebsiteController(client)], signal: stopping.signal });

console.log('create   Website hello');
await client.create(Website, { metadata: key, spec: { text: 'hello' } });
for await (const event of client.watch(ConfigMap, { namespace: key.namespace })) {
  if (event.type === 'BOOKMARK' || event.object.metadata.name !== key.name) continue;
  console.log(`${event.type.toLowerCase().padEnd(8)} ConfigMap hello: ${event.object.data?.text}`);
  if (event.type === 'DELETED') break;
  if (event.type === 'ADDED') {
    console.log('edit     Website hello');
    await client.patch(Website, key, { type: 'merge', value: { spec: { text: 'good day' } } });
  } else if (!isDeleting(event.object)) {
    console.log('delete   Website hello');
    await client.delete(Website, key);
  }
}

stopping.abort();
await running;
await client.close();
await cluster.close();
