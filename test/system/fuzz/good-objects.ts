import { aDefinition } from '../../unit/cluster/fixtures/a-definition.ts';

/** Objects that the cluster accepts. */
export const good: readonly object[] = [
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { x: '1' } },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a', labels: { app: 'a' } },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  },
  { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec: { ports: [{ port: 80 }], type: 'NodePort' } },
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'b' } },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'a' },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  },
  {
    apiVersion: 'example.com/v1',
    kind: 'Gadget',
    metadata: { name: 'a', finalizers: ['example.com/a'] },
    spec: { size: 3, parts: [{ name: 'x' }] },
  },
  { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'a' }, spec: { replicas: 2 } },
  aDefinition(
    {
      type: 'object',
      'x-kubernetes-validations': [{ rule: 'self.x > 1' }],
      properties: { x: { type: 'integer' } },
    },
    { kind: 'Thing', group: 'example.org', scope: 'Cluster' },
  ),
  { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Foreground', preconditions: { uid: 'x' } },
  {
    kind: 'SelfSubjectAccessReview',
    apiVersion: 'authorization.k8s.io/v1',
    spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
  },
];
