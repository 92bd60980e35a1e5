/** A website in operator-sdk-extra's model. */

import { children, Deployment, phases, type Reconciler, remote, Service } from 'workspace-sequencer/sdk';
import { addressOf, type Dns, deploymentOf, serviceOf, type Website, websiteFinalizer } from '../website.ts';

/** Reconciles the DNS record with a Remote. */
const record = (dns: Dns) =>
  remote<Website, Dns, { readonly address: string }>({
    status: false,
    connect: async () => dns,
    async read({ object }, api) {
      const address = await api.get(object.spec.domain);
      return { current: address === undefined ? undefined : { address }, wanted: { address: addressOf(object) } };
    },
    create: ({ object }, api, { address }) => api.put(object.spec.domain, address),
    update: ({ object }, api, { next }) => api.put(object.spec.domain, next.address),
    delete: ({ object }, api) => api.drop(object.spec.domain),
  });

/** Reconciles a website with operator-sdk-extra's MultiPhase: its children first, the DNS record once they are ready. */
export const reconcilerFor = (dns: Dns): Reconciler<Website> =>
  phases<Website>({
    finalizer: websiteFinalizer,
    phases: [
      { name: 'Deployment', reconcile: children({ kind: Deployment, wanted: (site) => [deploymentOf(site.object)] }) },
      { name: 'Service', reconcile: children({ kind: Service, wanted: (site) => [serviceOf(site.object)] }) },
      { name: 'Record', reconcile: record(dns), cleanUp: record(dns) },
    ],
  });
