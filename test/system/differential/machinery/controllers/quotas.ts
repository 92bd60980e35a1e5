/** Scenarios of ResourceQuotas. */

import type { Step } from '../../runner/scenario.ts';
import { held, map, maps } from './garbage.ts';

const pods = '/api/v1/namespaces/{ns}/pods';
const account = '/api/v1/namespaces/{ns}/serviceaccounts/default';
const root = `${maps}/kube-root-ca.crt`;

/** Objects created in every namespace, and recreated after a deletion. */
export const kept: Readonly<Record<string, readonly Step[]>> = {
  'the account comes back': [
    { path: account, until: 200 },
    { method: 'PATCH', path: account, body: { metadata: { labels: { a: 'b' } } } },
    { method: 'DELETE', path: account },
    { path: account, until: 200 },
  ],
  'a held account comes back when it has gone': [
    { path: account, until: 200 },
    { method: 'PATCH', path: account, body: { metadata: held } },
    { method: 'DELETE', path: account },
    { path: account },
    { method: 'PATCH', path: account, body: { metadata: { finalizers: null } } },
    { path: account, until: 200, awaits: { 'metadata.deletionTimestamp': undefined } },
  ],
  'the certificate comes back': [
    { path: root, until: 200 },
    { method: 'DELETE', path: root },
    { path: root, until: 200 },
  ],
  'the certificate is put right': [
    { path: root, until: 200 },
    { method: 'PATCH', path: root, body: { metadata: { labels: { a: 'b' } }, data: { other: '1' } }, silent: true },
    { path: root, awaits: { 'data.other': undefined } },
    { method: 'PATCH', path: root, body: { data: { 'ca.crt': 'x', more: '1' } }, silent: true },
    { path: root, awaits: { 'data.more': undefined } },
    { method: 'PATCH', path: root, body: { data: null, binaryData: { a: 'YQ==' } }, silent: true },
    { path: `${root}?a`, awaits: { 'data.other': undefined } },
  ],
};

const quotasAt = '/api/v1/namespaces/{ns}/resourcequotas';
const quota = (hard: object, more: object = {}): Step => ({
  path: quotasAt,
  body: { metadata: { name: 'q' }, spec: { hard, ...more } },
});
const used = (name: string, amount: string): Step => ({
  path: `${quotasAt}/q`,
  awaits: { [`status.used["${name}"]`]: amount },
});
const podOf = (name: string, requests: object, spec: object = {}): Step => ({
  path: pods,
  body: { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i', resources: { requests } }], ...spec } },
});

/** Counts and refusals of quotas. */
export const quotas: Readonly<Record<string, readonly Step[]>> = {
  'counts of a kind': [
    { path: root, until: 200 },
    quota({ 'count/configmaps': '3', 'count/secrets': '1', configmaps: '5' }),
    used('count/configmaps', '1'),
    map('a'),
    used('count/configmaps', '2'),
    map('b'),
    used('count/configmaps', '3'),
    map('c'),
    map('c', {}, { path: `${maps}?dryRun=All` }),
    { method: 'DELETE', path: `${maps}/a`, silent: true },
    used('count/configmaps', '2'),
    map('c'),
  ],
  'cpu and memory': [
    quota({ 'requests.cpu': '1', 'limits.memory': '1Gi', pods: '2' }),
    used('pods', '0'),
    podOf('a', { cpu: '500m' }),
    {
      path: pods,
      body: {
        metadata: { name: 'b' },
        spec: {
          containers: [
            { name: 'c', image: 'i', resources: { requests: { cpu: '300m' }, limits: { memory: '600Mi' } } },
          ],
        },
      },
    },
    used('requests.cpu', '300m'),
    {
      path: pods,
      body: {
        metadata: { name: 'c' },
        spec: {
          containers: [
            { name: 'c', image: 'i', resources: { requests: { cpu: '800m' }, limits: { memory: '600Mi' } } },
          ],
        },
      },
    },
    { method: 'PATCH', path: `${quotasAt}/q`, body: { spec: { hard: { 'requests.cpu': '2', pods: null } } } },
    { path: `${quotasAt}/q`, awaits: { 'status.used.pods': undefined } },
    { method: 'DELETE', path: `${pods}/b`, body: { gracePeriodSeconds: 0 }, silent: true },
    used('requests.cpu', '0'),
  ],
  scopes: [
    quota({ pods: '1' }, { scopes: ['BestEffort'] }),
    used('pods', '0'),
    podOf('a', { cpu: '1' }),
    podOf('b', {}),
    used('pods', '1'),
    podOf('c', {}),
    podOf('d', { cpu: '1' }),
    { path: `${quotasAt}/q` },
  ],
  'services and their ports': [
    quota({ services: '2', 'services.nodeports': '1', 'services.loadbalancers': '0' }),
    used('services', '0'),
    {
      path: '/api/v1/namespaces/{ns}/services',
      body: { metadata: { name: 'a' }, spec: { type: 'NodePort', ports: [{ port: 80 }] } },
    },
    used('services.nodeports', '1'),
    {
      path: '/api/v1/namespaces/{ns}/services',
      body: { metadata: { name: 'b' }, spec: { type: 'NodePort', ports: [{ port: 80 }] } },
    },
    {
      path: '/api/v1/namespaces/{ns}/services',
      body: { metadata: { name: 'b' }, spec: { type: 'LoadBalancer', ports: [{ port: 80 }] } },
    },
  ],
  'a status that a user writes': [
    quota({ 'count/configmaps': '3' }),
    used('count/configmaps', '1'),
    {
      method: 'PATCH',
      path: `${quotasAt}/q/status`,
      body: { status: { used: { 'count/configmaps': '7' } } },
      silent: true,
    },
    map('a'),
  ],
};
