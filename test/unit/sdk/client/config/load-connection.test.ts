import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import test from 'ava';
import { loadConnection } from '../../../../../sdk/client/config/load-connection.ts';
import { createClient } from '../../../../../sdk/client/http/create-client.ts';
import { UserError } from '../../../../../sdk/errors.ts';
import { createAuthority } from '../../../../cluster/pki/certificate.ts';
import { aFolder } from '../../../a-folder.ts';
import { usual } from '../usual-options.ts';

const configFor = (server: string, token: string) =>
  JSON.stringify({
    'current-context': 'c',
    clusters: [{ name: 'c', cluster: { server } }],
    users: [{ name: 'u', user: { token } }],
    contexts: [
      { name: 'c', context: { cluster: 'c', user: 'u', namespace: 'team' } },
      { name: 'other', context: { cluster: 'c', user: 'u', namespace: 'other' } },
    ],
  });

test('a kubeconfig is a file or a text, the context can be named', async (t) => {
  const folder = await aFolder(t, { config: configFor('https://file', 'one') });
  const fromFile = await loadConnection({ kubeconfig: join(folder, 'config') });
  t.is(fromFile.server, 'https://file');
  t.is(fromFile.namespace, 'team');
  t.deepEqual((await fromFile.credentials(usual)).headers, { authorization: 'Bearer one' });
  const fromText = await loadConnection({ kubeconfig: { yaml: configFor('https://text', 'two') }, context: 'other' });
  t.is(fromText.namespace, 'other');
});

test('KUBECONFIG names several files, those that are missing are passed over', async (t) => {
  const folder = await aFolder(t, { a: configFor('https://a', 'one'), b: configFor('https://b', 'two') });
  const list = ['missing', 'b', 'a'].map((name) => join(folder, name)).join(':');
  t.is((await loadConnection({ env: { KUBECONFIG: list } })).server, 'https://b');
  const none = await t.throwsAsync(loadConnection({ env: { KUBECONFIG: join(folder, 'missing') } }), {
    instanceOf: UserError,
  });
  t.is(none.code, 'E#1001');
});

test('without KUBECONFIG it is ~/.kube/config, and without that the cluster around the pod', async (t) => {
  const home = await aFolder(t, { '.kube/config': configFor('https://home', 'one') });
  const pod = await aFolder(t, { token: 'two', 'ca.crt': 'CA', namespace: 'team' });
  const env = { HOME: home, KUBERNETES_SERVICE_HOST: '10.0.0.1' };
  t.is((await loadConnection({ env, serviceAccount: pod })).server, 'https://home');
  t.is((await loadConnection({ env, serviceAccount: pod, inCluster: true })).server, 'https://10.0.0.1:443');
  const elsewhere = { ...env, HOME: pod };
  t.is((await loadConnection({ env: elsewhere, serviceAccount: pod })).server, 'https://10.0.0.1:443');
  const nothing = await t.throwsAsync(loadConnection({ env: { HOME: pod } }), { instanceOf: UserError });
  t.is(nothing.code, 'E#1005');
});

test('a file that is not there is named', async (t) => {
  const path = join(await aFolder(t, {}), 'config');
  const error = await t.throwsAsync(loadConnection({ kubeconfig: path }), { instanceOf: UserError });
  t.is(error.code, 'E#1001');
  t.is(error.message, `kubeconfig ${path}: there is no such file`);
});

test('a proxy comes from the kubeconfig, else from the environment', async (t) => {
  const yaml = configFor('https://a', 'one');
  const env = { HTTPS_PROXY: 'http://env:1' };
  t.is((await loadConnection({ kubeconfig: { yaml }, env })).proxy, 'http://env:1');
  t.is((await loadConnection({ kubeconfig: { yaml } })).proxy, undefined);
  const own = yaml.replace('"server":', '"proxy-url":"http://own:1","server":');
  t.is((await loadConnection({ kubeconfig: { yaml: own }, env })).proxy, 'http://own:1');
  const empty = yaml.replace('"server":', '"proxy-url":"","server":');
  t.is((await loadConnection({ kubeconfig: { yaml: empty }, env })).proxy, 'http://env:1');
  const bad = loadConnection({ kubeconfig: { yaml: own.replace('http://own:1', 'own') } });
  const error = await t.throwsAsync(bad, { instanceOf: UserError, message: /the proxy for https:\/\/a is "own"/ });
  t.is(error.code, 'E#1009');
});

test('a client certificate is shown, and the server is held to its CA and name', async (t) => {
  const authority = await createAuthority(Date.now());
  const [own, mine] = [authority.issue(['kubernetes']), authority.issue(['me'])];
  const server = createServer(
    { cert: own.certificate, key: own.key, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify((request.socket as TLSSocket).getPeerCertificate().subject?.CN ?? null));
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const ask = async (cluster: object) => {
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const user = { 'client-certificate-data': base64(mine.certificate), 'client-key-data': base64(mine.key) };
    const yaml = JSON.stringify({
      'current-context': 'c',
      clusters: [{ name: 'c', cluster: { server: url, ...cluster } }],
      users: [{ name: 'u', user }],
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    });
    const client = createClient({ connection: await loadConnection({ kubeconfig: { yaml } }) });
    return client.raw('GET', '/').finally(() => client.close());
  };
  t.teardown(() => server.close());
  const trusted = { 'certificate-authority-data': base64(authority.certificate) };
  t.truthy(await ask({ ...trusted, 'tls-server-name': 'kubernetes' }));
  t.truthy(await ask({ 'insecure-skip-tls-verify': true }));
  await t.throwsAsync(ask(trusted), { message: /no answer \(.*altnames/ });
  const other = {
    'certificate-authority-data': base64((await createAuthority(Date.now())).certificate),
    'tls-server-name': 'kubernetes',
  };
  await t.throwsAsync(ask(other), { message: /no answer/ });
});
