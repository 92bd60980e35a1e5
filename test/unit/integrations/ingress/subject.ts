/** Compliance subjects of `ingress`, for any cluster. */

import { type IngressOptions, ingress } from '../../../../integrations/ingress/index.ts';
import { type RouteKind, type RouteObject, routeKinds } from '../../../../integrations/ingress/kinds.ts';
import type { Client, WorkspaceSpec } from '../../../../sdk/index.ts';
import { clusterFailures, type Subject } from '../../../compliance/index.ts';
import { component, rule } from '../fixtures/an-ingress-spec.ts';

/** Spec with two hosts; the second one has this subdomain. */
const spec = (subdomain: string): WorkspaceSpec => ({
  components: [component('web', 80), component('api', 8080)],
  networking: {
    dns: { zone: 'example.test' },
    ingress: {
      className: 'nginx',
      rules: [rule('web'), rule('api', { path: '/api' }), rule('api', { name: 'admin', subdomain })],
    },
  },
});

const routesOf = async (client: Client, namespace: string, kind: RouteKind): Promise<readonly RouteObject[]> =>
  (await client.list<RouteObject>(routeKinds[kind], { namespace })).items;

/** Gateway of the tests; no controller serves it. */
export const gateway = { name: 'edge', namespace: 'default' };

/** Returns the subject for one kind of routes; `prepare` makes the cluster serve it. */
export const subjectOf = (kind: RouteKind, prepare: (client: Client) => Promise<unknown> = async () => {}): Subject => {
  const options: IngressOptions = kind === 'Ingress' ? {} : { api: kind, gateway };
  return {
    identity: 'name',
    target: 'cluster',
    spec: spec('admin'),
    edited: spec('back-office'),
    failures: clusterFailures,
    sameName: 'exclusive', // of the host that is not named after the workspace
    drift: 'fixed',
    async start({ client, namespace }) {
      await prepare(client);
      let spoils = 0;
      return {
        integration: () => ingress(options),
        async causeDrift() {
          const [one] = await routesOf(client, namespace, kind);
          if (one === undefined) return;
          const key = { namespace, name: one.metadata.name };
          spoils += 1;
          if (spoils % 2 === 0) await client.delete(routeKinds[kind], key);
          else
            await client.patch<RouteObject>(routeKinds[kind], key, {
              type: 'merge',
              value: {
                spec: kind === 'Ingress' ? { ingressClassName: 'other' } : { hostnames: ['other.example.test'] },
              },
            });
        },
        remote: async () =>
          (await routesOf(client, namespace, kind)).map(
            ({ spec: found }) => `${kind} ${JSON.stringify(found).replaceAll('competitor', 'subject')}`,
          ),
      };
    },
  };
};
