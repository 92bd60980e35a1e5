import test from 'ava';
import { createClient } from '../../../sdk/client/http-client.ts';
import { loadConnection } from '../../../sdk/client/load-connection.ts';
import { startRealServer } from '../../real/server.ts';
import { expires, tellClientStory } from './client-story.ts';

async function start() {
  const server = await startRealServer();
  const client = createClient({ connection: await loadConnection({ kubeconfig: server.kubeconfigPath }) });
  const close = async () => {
    await client.close();
    await server.close();
  };
  return { server, client, close };
}

tellClientStory(test, 'kube-apiserver', start);

test('kube-apiserver: a watch from a version that is forgotten throws an ExpiredError', async (t) => {
  const { server, client, close } = await start();
  t.teardown(close);
  await expires(t, client, async () => {
    await server.compact();
    await server.restart();
  });
});
