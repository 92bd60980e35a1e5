import { join } from 'node:path';
import test from 'ava';
import { Agent, request } from 'undici';
import { createAuthority } from '../../../../cluster/pki/certificate.ts';
import { freePorts } from '../../../../system/real/free-ports.ts';
import { until } from '../../../../system/real/until.ts';
import { aFolder } from '../../../a-folder.ts';
import { runToEnd, start } from '../a-terminal.ts';

test('it is an API server alone, with the certificates and for the clients that it is told of', async (t) => {
  const [serving, clients] = [await createAuthority(Date.now()), await createAuthority(Date.now())];
  const { certificate, key } = serving.issue(['127.0.0.1']);
  const admin = clients.issueFor({ name: 'admin', groups: ['system:masters'] });
  const folder = await aFolder(t, {
    'apiserver.crt': certificate,
    'apiserver.key': key,
    'ca.crt': clients.certificate,
  });
  const [port] = await freePorts(1);
  const flags = [
    `--cert-dir=${folder}`,
    `--client-ca-file=${join(folder, 'ca.crt')}`,
    '--authorization-mode=RBAC',
    `--secure-port=${port}`,
    '--service-cluster-ip-range=10.0.0.0/24',
    '--max-requests-inflight=7',
  ];
  const command = start(['kube-apiserver', '--', ...flags]);
  const url = `https://127.0.0.1:${port}`;
  const connect = { ca: serving.certificate, cert: admin.certificate, key: admin.key };
  const [dispatcher, stranger] = [new Agent({ connect }), new Agent({ connect: { ca: serving.certificate } })];
  t.teardown(() => Promise.all([dispatcher.destroy(), stranger.destroy()]));
  const ask = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await request(url + path, { dispatcher, method, headers, body: body ? JSON.stringify(body) : null });
    return { status: answer.statusCode, body: (await answer.body.json()) as { readonly items?: readonly object[] } };
  };
  const isWell = async () =>
    (await request(`${url}/healthz`, { dispatcher: stranger })).statusCode === 200 || undefined;
  await until(isWell, { message: String });

  t.is((await request(`${url}/api/v1/pods`, { dispatcher: stranger })).statusCode, 403);
  t.like((await ask('GET', '/api/v1/namespaces/default/services/kubernetes')).body, {
    spec: { clusterIP: '10.0.0.1' },
  });
  t.deepEqual((await ask('GET', '/api/v1/namespaces/default/configmaps')).body.items, []);
  t.is((await ask('POST', '/api/v1/namespaces', { metadata: { name: 'a' } })).status, 201);
  await ask('DELETE', '/api/v1/namespaces/a');
  t.like((await ask('GET', '/api/v1/namespaces/a')).body, { status: { phase: 'Terminating' } });

  command.process.kill('SIGTERM');
  const { code, stderr } = await command.ended;
  t.is(code, 0);
  t.is(stderr.split('\n')[0], 'kube-apiserver: ignored: --max-requests-inflight');
});

test('a range that is none, or a port that is taken, is reported', async (t) => {
  const { stderr } = await runToEnd(['kube-apiserver', '--', '--service-cluster-ip-range=fd00::/108']);
  t.regex(stderr, /^error E#2001: sequencer kube-apiserver: serviceRange is "fd00::\/108"/);
});
