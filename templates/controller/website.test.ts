import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigMap, createClient, ensureCrds, runOperator, type WatchEvent } from 'workspace-sequencer/sdk';
import { createCluster } from 'workspace-sequencer/test';
import { Website } from './website.ts';
import { createWebsiteController } from './website-controller.ts';

const key = { namespace: 'default', name: 'hello' };

test('a Website is published, follows its spec, is fixed, and leaves nothing behind', async () => {
  const cluster = await createCluster(); // a Kubernetes API in this process
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  await ensureCrds(client, [Website]);
  const stopping = new AbortController();
  const running = runOperator({ controllers: [createWebsiteController(client)], signal: stopping.signal });

  const events = client.watch(ConfigMap, { namespace: key.namespace })[Symbol.asyncIterator]();
  /** Returns the text in the next event of that type about the Website's ConfigMap. */
  const nextText = async (type: WatchEvent<ConfigMap>['type']): Promise<string | undefined> => {
    for (;;) {
      const { value: event } = await events.next();
      if (event.type === type && event.type !== 'BOOKMARK' && event.object.metadata.name === key.name)
        return event.object.data?.text;
    }
  };

  await client.create(Website, { metadata: key, spec: { text: 'hello' } });
  assert.equal(await nextText('ADDED'), 'hello');
  await client.patch(Website, key, { type: 'merge', value: { spec: { text: 'good day' } } });
  assert.equal(await nextText('MODIFIED'), 'good day');
  await client.delete(ConfigMap, key); // a person's mistake
  assert.equal(await nextText('ADDED'), 'good day');
  await client.delete(Website, key);
  assert.equal(await nextText('DELETED'), 'good day');

  await events.return?.();
  stopping.abort();
  await running;
  await client.close();
  await cluster.close();
});
