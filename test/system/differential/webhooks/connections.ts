import type { Scenario, Step } from '../runner/scenario.ts';
import { hooked } from './hooked.ts';

const pods = '/api/v1/namespaces/{ns}/pods';
const pod: Step = { path: pods, body: { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } } };

/** Requests of the connect verb for pods and services. */
const connections = {
  rules: [
    {
      apiGroups: [''],
      apiVersions: ['*'],
      operations: ['CONNECT'],
      resources: ['pods/exec', 'pods/attach', 'pods/portforward', 'pods/proxy', 'services/proxy'],
    },
  ],
};

/** Connections to pods and services, which fail before a target is reached: the webhooks that are called for them. */
export const connectionScenarios: readonly Scenario[] = [
  hooked(
    'webhooks that are asked about connections',
    {
      mutating: [{ name: 'm', with: connections }],
      validating: [{ name: 'v', with: connections }],
    },
    [
      pod,
      ...[
        'exec?command=a&command=b&stdin=true&container=c',
        'exec',
        'attach?stdout=1&tty=true',
        'portforward?ports=80',
      ].map((part) => ({ method: 'POST' as const, path: `${pods}/p/${part}` })),
      { path: `${pods}/p/exec?command=a&stdout=true` },
      { path: `${pods}/p/proxy/a/b?c=d` },
      { path: `${pods}/none/proxy` },
      { path: '/api/v1/namespaces/{ns}/services/none/proxy/x' },
    ],
  ),
  hooked(
    'webhooks that refuse connections',
    { validating: [{ name: 'v', with: connections, response: { allowed: false, status: { message: 'no way in' } } }] },
    [pod, { method: 'POST', path: `${pods}/p/exec?command=a` }, { path: `${pods}/none/proxy` }],
  ),
];
