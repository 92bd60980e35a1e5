import test, { type ExecutionContext } from 'ava';
import { ConfigMap } from '../../../sdk/api/kinds.ts';
import { createClient } from '../../../sdk/client/http/create-client.ts';
import { createCluster, createManualClock, type Interceptor } from '../../cluster/index.ts';
import { addressIn } from '../../system/stories/servers.ts';
import { createRelay } from './relay.ts';

/** Delays all watch events a little. */
const late: Interceptor = async (request, next) => {
  const response = await next(request);
  const { stream } = response;
  if (stream === undefined) return response;
  return {
    ...response,
    stream: (sink) => stream({ ...sink, write: (chunk) => void setTimeout(() => sink.write(chunk), 30) }),
  };
};

/** A server behind a relay, with a client that watches the ConfigMaps of `default`; `told` lists the observed events. */
async function relayed(t: ExecutionContext) {
  const server = await createCluster({ namespaceController: false, garbageCollector: false });
  server.intercept(late);
  const listening = await server.listen();
  const relay = createRelay(addressIn(listening.kubeconfigYaml()));
  const clock = createManualClock(undefined, relay.quiet);
  const front = await createCluster({ clock });
  front.intercept(relay.interceptor);
  t.teardown(async () => {
    await relay.close();
    await server.close();
  });
  const client = createClient({ server: front.url, dispatcher: front.dispatcher, clock });
  const told: string[] = [];
  const key = (name: string) => ({ namespace: 'default', name });
  const watch = async (labels?: string) => {
    const selection = { namespace: 'default', ...(labels !== undefined && { labels }) };
    const events = client.watch(ConfigMap, { ...selection, sendInitialEvents: true, resourceVersion: '0' });
    for await (const event of events)
      if (event.type !== 'BOOKMARK') told.push(`${event.type} ${event.object.metadata.name}`);
  };
  return { client, clock, told, key, watch };
}

test('no time passes until all that was written has been reported', async (t) => {
  const { client, clock, told, key, watch } = await relayed(t);
  await client.create(ConfigMap, { metadata: key('a') });
  void watch().catch(() => undefined);
  await clock.advance(0);
  t.deepEqual(told, ['ADDED a'], 'what there is');
  await client.create(ConfigMap, { metadata: { ...key('b'), finalizers: ['a.b/c'] } });
  await clock.advance(0);
  t.deepEqual(told.slice(1), ['ADDED b']);
  await client.delete(ConfigMap, key('a'));
  await clock.advance(0);
  t.deepEqual(told.slice(2), ['DELETED a'], 'whose revision no answer says');
  await client.delete(ConfigMap, key('b'));
  await clock.advance(0);
  t.deepEqual(told.slice(3), ['MODIFIED b']);
  await client.patch(ConfigMap, key('b'), { type: 'merge', value: { metadata: { finalizers: null } } });
  await clock.advance(0);
  t.deepEqual(told.slice(4), ['DELETED b']);
  await t.throwsAsync(client.get(ConfigMap, key('b')), { message: /not found/ });
});

test('a watch of some objects only is waited for until it has told what there is', async (t) => {
  const { client, clock, told, key, watch } = await relayed(t);
  await client.create(ConfigMap, { metadata: { ...key('a'), labels: { x: 'y' } } });
  void watch('x=y').catch(() => undefined);
  await clock.advance(0);
  await client.create(ConfigMap, { metadata: key('b') });
  await clock.advance(0);
  t.deepEqual(told, ['ADDED a']);
});
