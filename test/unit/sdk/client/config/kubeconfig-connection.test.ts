import { readFile, writeFile } from 'node:fs/promises';
import test from 'ava';
import { parse } from 'yaml';
import { ConfigMap } from '../../../../../sdk/api/kinds.ts';
import { objectKeyOf } from '../../../../../sdk/api/object.ts';
import { kubeconfigConnection } from '../../../../../sdk/client/config/kubeconfig-connection.ts';
import { createClient } from '../../../../../sdk/client/http/create-client.ts';
import { systemClock } from '../../../../../sdk/clock.ts';
import { UserError } from '../../../../../sdk/errors.ts';
import { createCluster } from '../../../../cluster/index.ts';
import { aFolder } from '../../../a-folder.ts';
import { isReal, theRealServer } from '../../a-server.ts';
import { usual } from '../usual-options.ts';

const dataOf = (user: object, cluster: object = {}) => ({
  'current-context': 'c',
  clusters: [{ name: 'c', cluster: { server: 'https://a:6443/path', ...cluster } }],
  users: [{ name: 'u', user }],
  contexts: [{ name: 'c', context: { cluster: 'c', user: 'u', namespace: 'team' } }],
});
const connectionOf = (user: object, cluster?: object) => kubeconfigConnection(dataOf(user, cluster), systemClock);

test('server, namespace, proxy and credentials are those of the current context', async (t) => {
  const { server, namespace, proxy, credentials } = connectionOf({ token: 'one' }, { 'proxy-url': 'http://proxy:1' });
  t.deepEqual([server, namespace, proxy], ['https://a:6443/path', 'team', 'http://proxy:1']);
  t.is(connectionOf({}, { 'proxy-url': '' }).proxy, undefined);
  t.deepEqual((await credentials(usual)).headers, { authorization: 'Bearer one' });
});

test('a file that is not there yet is looked for again with the next request', async (t) => {
  const file = `${await aFolder(t, {})}/cert`;
  const { credentials } = connectionOf({ 'client-certificate': file });
  const missing = await t.throwsAsync(async () => credentials(usual), { instanceOf: UserError });
  t.is(missing?.code, 'E#1006');
  await writeFile(file, 'CERT');
  t.is((await credentials(usual)).tls.cert, 'CERT');
});

test('what names no server is refused at once', (t) => {
  const codeOf = (kubeConfig: unknown) =>
    t.throws(() => createClient({ kubeConfig: kubeConfig as object }), { instanceOf: UserError })?.code;
  t.is(codeOf(undefined), 'E#1002');
  t.is(codeOf('~/.kube/config'), 'E#1002');
  t.is(codeOf({ contexts: {} }), 'E#1002');
  t.is(codeOf({}), 'E#1003');
  t.is(codeOf({ ...dataOf({}), clusters: [] }), 'E#1004');
  t.is(codeOf(dataOf({}, { 'proxy-url': 'own' })), 'E#1009');
});

test('a client of the data of a kubeconfig talks to a server', async (t) => {
  let text: string;
  if (isReal) text = await readFile((await theRealServer()).server.kubeconfigPath, 'utf8');
  else {
    const cluster = await createCluster({ kubelet: false });
    const listening = await cluster.listen();
    t.teardown(() => cluster.close());
    text = listening.kubeconfigYaml();
  }
  const client = createClient({ kubeConfig: parse(text) });
  t.teardown(() => client.close());
  const metadata = { namespace: 'default', name: `from-data-${Date.now()}` };
  const key = objectKeyOf(await client.create(ConfigMap, { metadata, data: { x: '1' } }));
  t.is((await client.get(ConfigMap, key)).data?.x, '1');
  await client.delete(ConfigMap, key);
});
