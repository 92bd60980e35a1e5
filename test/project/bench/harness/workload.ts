/** Objects of the workload. */

import type { NewObject, Workspace } from '../../../../sdk/index.ts';

/** Finalizer of the operators under measurement. */
export const finalizer = 'bench.dev/f';

/** Number of namespaces over which the workspaces are spread. */
export const namespaces = 5;

/** Returns the key of the workspace with that number. */
export const keyAt = (index: number) => ({ namespace: `bench-${index % namespaces}`, name: `workspace-${index}` });

const component = (name: string) => ({
  name,
  networks: [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' as const }],
  template: {
    containers: [
      {
        name,
        image: `registry.example.com/team/${name}:1.4.2`,
        env: [
          { name: 'DATABASE_URL', value: 'postgres://app@database:5432/app?sslmode=require&application_name=bench' },
          { name: 'LOG_LEVEL', value: 'info' },
        ],
        resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
      },
    ],
  },
});

/** A workspace with a spec of about 1 kB. */
export const workspaceAt = (index: number): NewObject<Workspace> => ({
  metadata: keyAt(index),
  spec: {
    networking: {
      dns: { zone: 'example.com' },
      ingress: {
        className: 'nginx',
        rules: [{ name: 'web', subdomain: `shop-${index}`, path: '/', component: 'web', network: 'http' }],
      },
    },
    components: [component('web'), component('api')],
  },
});

/** Last status that the operators under measurement write. */
export const readyStatus = (generation: number) => ({
  observedGeneration: generation,
  conditions: [
    {
      type: 'Ready',
      status: 'True' as const,
      reason: 'Reconciled',
      observedGeneration: generation,
      lastTransitionTime: new Date().toISOString().replace(/\.\d+/, ''),
    },
  ],
});
