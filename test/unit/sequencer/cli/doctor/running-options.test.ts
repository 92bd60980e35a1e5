import test from 'ava';
import { createClient, Deployment } from '../../../../../sdk/index.ts';
import { runningOptions } from '../../../../../sequencer/cli/doctor/running-options.ts';
import { createCluster } from '../../../../cluster/index.ts';

test('the options are those of the Deployment, in either form; the usual ones without it', async (t) => {
  const cluster = await createCluster();
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  const { signal } = new AbortController();
  const key = { namespace: 'default', name: 'sequencer' };
  t.deepEqual(await runningOptions(client, key, signal), { page: false, webhooks: false });
  for (const args of [
    ['run', '--shards=ring', '--webhook-port=9443', '--page=8090'],
    ['run', '--shards', 'ring', '--webhook-port', '9443', '--page', '8090'],
  ]) {
    const labels = { app: args.length.toString() };
    const spec = { containers: [{ name: 'sequencer', image: 'a', args }] };
    await client.create(Deployment, {
      metadata: key,
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
    });
    t.deepEqual(await runningOptions(client, key, signal), { ring: 'ring', page: true, webhooks: true });
    await client.delete(Deployment, key);
  }
  await client.close();
  await cluster.close();
});
