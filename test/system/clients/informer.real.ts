import {
  CoreV1Api,
  type Informer,
  KubeConfig,
  makeInformer,
  type ObjectCache,
  type V1ConfigMap,
} from '@kubernetes/client-node';
import test, { type ExecutionContext } from 'ava';
import { until } from '../real/until.ts';
import { type StoryServer, serversUnderTest } from '../stories/servers.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const labelSelector = 'informed=yes';

/** Notifications of an informer, oldest first. */
interface Heard {
  readonly informer: Informer<V1ConfigMap> & ObjectCache<V1ConfigMap>;
  readonly heard: string[];
  has(...words: readonly string[]): Promise<true>;
}

/** Starts an informer as in client-node's example, restarted after failures. */
async function listen(t: ExecutionContext, { kubeconfigYaml }: StoryServer): Promise<Heard> {
  const config = new KubeConfig();
  config.loadFromString(kubeconfigYaml);
  const api = config.makeApiClient(CoreV1Api);
  const list = () => api.listNamespacedConfigMap({ namespace: 'default', labelSelector });
  const informer = makeInformer(config, maps, list, labelSelector);
  const heard: string[] = [];
  for (const verb of ['add', 'update', 'delete'] as const)
    informer.on(verb, ({ metadata, data }) => void heard.push(`${verb} ${metadata?.name} ${data?.text}`));
  let stopped = false;
  const start = (): Promise<void> => informer.start().catch(again);
  const again = (): void => {
    if (!stopped) setTimeout(() => void start(), 200);
  };
  informer.on('error', again);
  t.teardown(() => {
    stopped = true;
    return informer.stop();
  });
  await start();
  const has = (...words: readonly string[]) =>
    until(async () => words.every((word) => heard.includes(word)) || undefined, {
      deadline: 30_000,
      message: () => `heard ${JSON.stringify(heard)}, not all of ${JSON.stringify(words)}`,
    }) as Promise<true>;
  return { informer, heard, has };
}

const map = (name: string, text: string) => ({ metadata: { name, labels: { informed: 'yes' } }, data: { text } });

for (const { name, start } of serversUnderTest())
  test.serial(
    `${name}: client-node's informer hears of everything, over broken connections and forgotten history`,
    async (t) => {
      const server = await start();
      t.teardown(() => server.close());
      const { api, faults } = server;
      const post = async (body: object) => t.is((await api.ask({ method: 'POST', path: maps, body })).status, 201);
      await post(map('before', '1'));
      const { informer, heard, has } = await listen(t, server);
      await has('add before 1');
      await post(map('after', '1'));
      await api.ask({ method: 'PATCH', path: `${maps}/after`, body: { data: { text: '2' } } });
      await has('add after 1', 'update after 2');

      await faults.kill();
      api.close();
      await faults.restart();
      await api.ask({ method: 'PATCH', path: `${maps}/after`, body: { data: { text: '3' } } });
      await has('update after 3');

      await faults.forget();
      api.close();
      await post(map('later', '1'));
      await api.ask({ method: 'DELETE', path: `${maps}/before` });
      await has('add later 1', 'delete before 1');
      t.is(informer.get('after', 'default')?.data?.text, '3');
      t.is(heard.filter((word) => word === 'add after 1').length, 1, 'once each');
    },
  );
