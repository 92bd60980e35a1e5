import { writeFile } from 'node:fs/promises';
import { KubeConfig } from '@kubernetes/client-node';
import test from 'ava';
import { ConfigMap } from '../../../../../sdk/api/kinds.ts';
import { clientNodeConnection } from '../../../../../sdk/client/config/client-node-connection.ts';
import { createClient } from '../../../../../sdk/client/http/create-client.ts';
import { UserError } from '../../../../../sdk/errors.ts';
import { createCluster } from '../../../../cluster/index.ts';
import { aFolder } from '../../../a-folder.ts';
import { isReal, theRealServer } from '../../a-server.ts';
import { renewed, usual } from '../usual-options.ts';

const text = (user: object, cluster: object = {}) =>
  JSON.stringify({
    'current-context': 'c',
    clusters: [{ name: 'c', cluster: { server: 'https://a:6443/path', ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u', namespace: 'team' } }],
  });

function loaded(user: object, cluster?: object): KubeConfig {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(text(user, cluster));
  return kubeConfig;
}

const base64 = (plain: string): string => Buffer.from(plain).toString('base64');

test('cluster, namespace and proxy are those of the current context', async (t) => {
  const { server, namespace, proxy } = clientNodeConnection(loaded({}, { 'proxy-url': 'http://proxy:3128' }));
  t.deepEqual([server, namespace, proxy], ['https://a:6443/path', 'team', 'http://proxy:3128']);
});

const users: readonly (readonly [string, object, Readonly<Record<string, string>>])[] = [
  ['a token', { token: 'one' }, { authorization: 'Bearer one' }],
  ['name and password', { username: 'jane', password: 'p' }, { authorization: `Basic ${base64('jane:p')}` }],
  ['no user', {}, {}],
  ['another user', { token: 'one', as: 'joe' }, { authorization: 'Bearer one', 'impersonate-user': 'joe' }],
];
for (const [what, user, headers] of users)
  test(`gives our identity: ${what}`, async (t) => {
    t.deepEqual((await clientNodeConnection(loaded(user)).credentials(usual)).headers, headers);
  });

test('certificates come as texts, the same again for the same, and from files, too', async (t) => {
  const folder = await aFolder(t, { ca: 'CA' });
  const user = { 'client-certificate-data': base64('CERT'), 'client-key-data': base64('KEY') };
  const cluster = { 'certificate-authority': `${folder}/ca`, 'tls-server-name': 'api' };
  const { credentials } = clientNodeConnection(loaded(user, cluster));
  const { tls } = await credentials(usual);
  t.deepEqual(tls, { ca: 'CA', cert: 'CERT', key: 'KEY', servername: 'api' });
  t.deepEqual((await credentials(renewed)).tls, tls);
  const insecure = await clientNodeConnection(loaded({}, { 'insecure-skip-tls-verify': true })).credentials(usual);
  t.is(insecure.tls.rejectUnauthorized, false);
});

test('a CA file that cannot be read yet is read again with the next request', async (t) => {
  const folder = await aFolder(t, {});
  const { credentials } = clientNodeConnection(loaded({}, { 'certificate-authority': `${folder}/ca` }));
  const error = await t.throwsAsync(async () => credentials(usual), { instanceOf: UserError });
  t.is(error?.code, 'E#1006');
  await writeFile(`${folder}/ca`, 'CA');
  t.is((await credentials(usual)).tls.ca, 'CA');
});

test('what its authenticators say is asked for with each request', async (t) => {
  const kubeConfig = loaded({});
  let tokens = 0;
  kubeConfig.addAuthenticator({
    isAuthProvider: () => true,
    async applyAuthentication(_user, options) {
      tokens += 1;
      if (tokens === 3) throw new Error('the vault is sealed');
      options.headers = { ...options.headers, Authorization: `Bearer ${tokens}` } as never;
    },
  });
  const { credentials } = clientNodeConnection(kubeConfig);
  t.is((await credentials(usual)).headers.authorization, 'Bearer 1');
  t.is((await credentials(renewed)).headers.authorization, 'Bearer 2');
  const error = await t.throwsAsync(async () => credentials(usual), { instanceOf: UserError, message: /is sealed/ });
  t.is(error?.code, 'E#1007');
});

test('without a context or a cluster it says so', (t) => {
  const codeOf = (kubeConfig: KubeConfig) =>
    t.throws(() => createClient({ kubeConfig }), { instanceOf: UserError })?.code;
  t.is(codeOf(new KubeConfig()), 'E#1003');
  const kubeConfig = loaded({});
  kubeConfig.clusters = [];
  t.is(codeOf(kubeConfig), 'E#1004');
});

test('a client of a KubeConfig talks to a server', async (t) => {
  const kubeConfig = new KubeConfig();
  if (isReal) kubeConfig.loadFromFile((await theRealServer()).server.kubeconfigPath);
  else {
    const cluster = await createCluster({ kubelet: false });
    const listening = await cluster.listen();
    t.teardown(() => cluster.close());
    kubeConfig.loadFromString(listening.kubeconfigYaml());
  }
  const client = createClient({ kubeConfig });
  t.teardown(() => client.close());
  const name = `from-client-node-${Date.now()}`;
  const made = await client.create(ConfigMap, { metadata: { namespace: 'default', name }, data: { x: '1' } });
  t.is((await client.get(ConfigMap, made.metadata as { name: string; namespace: string })).data?.x, '1');
  await client.delete(ConfigMap, { namespace: 'default', name });
});
