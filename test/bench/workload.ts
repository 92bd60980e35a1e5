import type { NewObject, Workspace } from '../../sdk/index.ts';

/** What the operators under measurement hold on to a workspace with. */
export const finalizer = 'bench.dev/f';

/** How many namespaces the workspaces are spread over. */
export const namespaces = 5;

/** Where the workspace with that number lives. */
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

/** What the operators under measurement write last. */
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
