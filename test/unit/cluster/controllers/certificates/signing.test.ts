import { X509Certificate } from 'node:crypto';
import test from 'ava';
import { Agent, request } from 'undici';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';
import type { Fields } from '../../../../cluster/apimachinery/object.ts';
import type { ClusterOptions } from '../../../../cluster/bootstrap/options.ts';
import { createCluster } from '../../../../cluster/cluster.ts';
import { aCertificateRequest, type Wanted } from '../../fixtures/a-certificate-request.ts';
import { askOf } from '../../fixtures/ask.ts';

const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const client = 'kubernetes.io/kube-apiserver-client';
const kubelet = 'kubernetes.io/kube-apiserver-client-kubelet';
const serving = 'kubernetes.io/kubelet-serving';
const usages = ['digital signature', 'client auth'];
const approved = { type: 'Approved', status: 'True', reason: 'Fine', message: 'by hand' };

interface Status {
  readonly conditions?: readonly Fields[];
  readonly certificate?: string;
}

async function start(options: ClusterOptions = {}) {
  const clock = createManualClock();
  const cluster = await createCluster({ clock, ...options });
  const ask = askOf(cluster);
  const settled = async (what: string, body?: unknown) => {
    const answer = await ask(what, body);
    await cluster.settle();
    return answer;
  };
  return {
    cluster,
    clock,
    make: async (name: string, wanted: Wanted, spec: Fields = {}) => {
      const made = aCertificateRequest(wanted);
      const whole = { request: btoa(made.request), signerName: client, usages, ...spec };
      const { status } = await settled(`POST ${path}`, { metadata: { name }, spec: whole });
      return { ...made, status };
    },
    approve: (name: string) => settled(`PATCH ${path}/${name}/approval`, { status: { conditions: [approved] } }),
    statusOf: async (name: string) => ((await ask(`GET ${path}/${name}`)).body.status ?? {}) as Status,
    exists: async (name: string) => (await ask(`GET ${path}/${name}`)).status === 200,
  };
}

const pemOf = ({ certificate = '' }: Status): string => Buffer.from(certificate, 'base64').toString();

test('what was approved is signed by the cluster, for as long as was asked for', async (t) => {
  const { cluster, make, approve, statusOf } = await start();
  const { key } = await make('jane', { name: 'jane', groups: ['devs', 'ops'] }, { expirationSeconds: 3600 });
  t.deepEqual(await statusOf('jane'), {});
  await approve('jane');
  const made = new X509Certificate(pemOf(await statusOf('jane')));
  t.is(made.subject, 'O=devs\nO=ops\nCN=jane');
  t.is(made.validFrom, 'Dec 31 23:55:00 2025 GMT');
  t.is(made.validTo, 'Jan  1 01:00:00 2026 GMT');
  t.deepEqual(made.keyUsage, ['1.3.6.1.5.5.7.3.2']);
  t.false(made.ca);
  const root = cluster.get({ apiVersion: 'v1', kind: 'ConfigMap' }, { namespace: 'default', name: 'kube-root-ca.crt' });
  const authority = new X509Certificate((root as unknown as { data: Record<string, string> }).data['ca.crt']!);
  t.true(made.verify(authority.publicKey) && made.checkIssued(authority));
  t.regex(key, /PRIVATE KEY/);
});

test('certificates hold a year, less what they were dated back', async (t) => {
  const { make, approve, statusOf } = await start();
  await make(
    'node',
    { name: 'system:node:a', groups: ['system:nodes'], hosts: ['a.example.com'] },
    {
      signerName: serving,
      usages: ['digital signature', 'key encipherment', 'server auth'],
    },
  );
  await approve('node');
  const made = new X509Certificate(pemOf(await statusOf('node')));
  t.is(made.validTo, 'Dec 31 23:55:00 2026 GMT');
  t.is(made.subjectAltName, 'DNS:a.example.com');
});

test('requests that a signer does not like fail, in its words', async (t) => {
  const { make, approve, statusOf } = await start();
  const node = { name: 'system:node:a', groups: ['system:nodes'] };
  const all = ['digital signature', 'key encipherment', 'server auth'];
  const cases: readonly (readonly [Wanted, Fields, string])[] = [
    [{ name: 'a' }, { usages: ['server auth'] }, 'invalid usage for client certificate: server auth'],
    [{ name: 'a' }, { usages: ['digital signature'] }, 'missing required usage for client certificate: client auth'],
    [{ name: 'a' }, { signerName: serving, usages: all }, 'subject organization is not system:nodes'],
    [node, { signerName: serving, usages: all }, 'DNS or IP subjectAltName is required'],
    [
      { ...node, hosts: ['a'], emails: ['a@b.c'] },
      { signerName: serving, usages: all },
      'Email subjectAltNames are not allowed',
    ],
    [
      { ...node, hosts: ['a'] },
      { signerName: serving },
      'usages did not match [digital signature key encipherment server auth]',
    ],
    [
      { ...node, name: 'a', hosts: ['a'] },
      { signerName: serving, usages: all },
      'subject common name does not begin with system:node:',
    ],
    [{ ...node, hosts: ['a'] }, { signerName: kubelet }, 'DNS subjectAltNames are not allowed'],
  ];
  for (const [index, [wanted, spec, message]] of cases.entries()) {
    await make(`r-${index}`, wanted, spec);
    await approve(`r-${index}`);
    const { conditions = [], certificate } = await statusOf(`r-${index}`);
    t.is(certificate, undefined);
    t.like(conditions[1], { type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message });
  }
});

test('kubelets are approved by their rights, others and denied ones are not', async (t) => {
  const { make, statusOf, approve } = await start();
  const node = { name: 'system:node:a', groups: ['system:nodes'] };
  await make('node', node, { signerName: kubelet });
  t.like((await statusOf('node')).conditions?.[0], {
    type: 'Approved',
    reason: 'AutoApproved',
    message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
  });
  t.regex(pemOf(await statusOf('node')), /BEGIN CERTIFICATE/);
  await make('other', { name: 'a' }, { signerName: 'example.com/own' });
  await approve('other');
  t.is((await statusOf('other')).certificate, undefined);
});

test('with RBAC only kubelets that were given the right are approved', async (t) => {
  const { cluster, make, statusOf } = await start({ rbac: true });
  const node = { name: 'system:node:a', groups: ['system:nodes'] };
  const joining = cluster.dispatcherAs({ name: 'joining', groups: ['system:bootstrappers', 'system:authenticated'] });
  const rules = [{ apiGroups: ['certificates.k8s.io'], resources: ['certificatesigningrequests'], verbs: ['create'] }];
  const join = async (name: string) => {
    const spec = { request: btoa(aCertificateRequest(node).request), signerName: kubelet, usages };
    const { statusCode } = await request(`${cluster.url}${path}`, {
      dispatcher: joining,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ metadata: { name }, spec }),
    });
    await cluster.settle();
    t.is(statusCode, 201);
    return (await statusOf(name)).conditions?.[0]?.type;
  };
  const roleRef = (name: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name });
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:bootstrappers' }];
  const rbac = 'rbac.authorization.k8s.io/v1';
  const bind = (role: string) =>
    cluster.apply({
      apiVersion: rbac,
      kind: 'ClusterRoleBinding',
      metadata: { name: `bind-${role}` },
      roleRef: roleRef(role),
      subjects,
    } as Parameters<typeof cluster.apply>[0]);
  await cluster.apply({ apiVersion: rbac, kind: 'ClusterRole', metadata: { name: 'asking' }, rules } as Parameters<
    typeof cluster.apply
  >[0]);
  await bind('asking');
  t.is(await join('early'), undefined);
  const more = [{ ...rules[0]!, resources: ['certificatesigningrequests/nodeclient'] }];
  await cluster.apply({
    apiVersion: rbac,
    kind: 'ClusterRole',
    metadata: { name: 'joining' },
    rules: more,
  } as Parameters<typeof cluster.apply>[0]);
  await bind('joining');
  t.is(await join('late'), 'Approved');
  await make('administrators', node, { signerName: kubelet });
  t.is((await statusOf('administrators')).conditions?.[0]?.type, 'Approved');
});

test('requests go when they were decided, or forgotten', async (t) => {
  const { clock, cluster, make, approve, exists } = await start();
  await make('done', { name: 'a' });
  await approve('done');
  await make('pending', { name: 'a' });
  await make('elsewhere', { name: 'a' }, { signerName: 'example.com/own' });
  await approve('elsewhere');
  const pass = async (ms: number) => {
    await clock.advance(ms);
    await cluster.settle();
  };
  await pass(3_600_000);
  t.deepEqual([await exists('done'), await exists('pending'), await exists('elsewhere')], [false, true, true]);
  await pass(23 * 3_600_000);
  t.deepEqual([await exists('pending'), await exists('elsewhere')], [false, true]);
});

test('signing can be done step by step, or by another signer', async (t) => {
  const { cluster, make, approve, statusOf } = await start({ controllers: { signing: 'step' } });
  await make('jane', { name: 'jane' });
  await approve('jane');
  t.is((await statusOf('jane')).certificate, undefined);
  t.true(await cluster.controllers.step('signing'));
  t.regex(pemOf(await statusOf('jane')), /BEGIN CERTIFICATE/);
});

test('a client that shows such a certificate over HTTPS is the user that it names', async (t) => {
  const cluster = await createCluster();
  t.teardown(() => cluster.close());
  const ask = askOf(cluster);
  const { request: asked, key } = aCertificateRequest({ name: 'jane', groups: ['devs'] });
  await ask(`POST ${path}`, { metadata: { name: 'jane' }, spec: { request: btoa(asked), signerName: client, usages } });
  await ask(`PATCH ${path}/jane/approval`, { status: { conditions: [approved] } });
  await cluster.settle();
  const cert = pemOf((await ask(`GET ${path}/jane`)).body.status as Status);
  const { url } = await cluster.listen();
  const root = cluster.get({ apiVersion: 'v1', kind: 'ConfigMap' }, { namespace: 'default', name: 'kube-root-ca.crt' });
  const ca = (root as unknown as { data: Record<string, string> }).data['ca.crt']!;
  const dispatcher = new Agent({ connect: { ca, cert, key } });
  t.teardown(() => dispatcher.destroy());
  const { body } = await request(`${url}/apis/authentication.k8s.io/v1/selfsubjectreviews`, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }),
  });
  t.like(await body.json(), { status: { userInfo: { username: 'jane', groups: ['devs', 'system:authenticated'] } } });
});
