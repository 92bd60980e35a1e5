/** A website in operatorkit's model. */

import {
  crud,
  Deployment,
  type Kind,
  type KubeObject,
  type NewObject,
  ownerReferenceTo,
  type Reconciler,
  resource,
  resourceSet,
  router,
  Service,
  withRetry,
} from 'workspace-sequencer/sdk';
import { addressOf, type Dns, deploymentOf, serviceOf, type Website, websiteFinalizer } from '../website.ts';

/** Creates a crud resource for one child of a website; it is garbage-collected with its owner. */
const child = <R extends KubeObject>(
  kind: Kind<R>,
  options: {
    readonly wanted: (website: Website) => NewObject<R>;
    readonly differs?: (current: R, website: Website) => object | undefined;
  },
) =>
  crud<Website, R | undefined, NewObject<R>, NewObject<R>, object>({
    name: kind.kind.toLowerCase(),
    getCurrentState: ({ stored, key }) => stored(kind).get(key),
    getDesiredState: ({ object }) => options.wanted(object),
    newUpdatePatch: (current, desired, { object }) =>
      current === undefined ? { create: desired } : { update: options.differs?.(current, object) },
    async applyCreateChange(wanted, { client, signal, object }) {
      const metadata = { ...wanted.metadata, ownerReferences: [ownerReferenceTo(object)] };
      await client.create(kind, { ...wanted, metadata }, { signal });
    },
    async applyUpdateChange(value, { client, key, signal }) {
      await client.patch(kind, key, { type: 'merge', value }, { signal });
    },
  });

const deployment = child(Deployment, {
  wanted: deploymentOf,
  differs: ({ spec }, { spec: { replicas } }) => (spec?.replicas === replicas ? undefined : { spec: { replicas } }),
});
const service = child(Service, { wanted: serviceOf });

const record = (dns: Dns) =>
  resource<Website>({
    name: 'record',
    ensureCreated: ({ object }) => dns.put(object.spec.domain, addressOf(object)),
    ensureDeleted: ({ object }) => dns.drop(object.spec.domain),
  });

/** Reconciles a website with operatorkit's resources: one set that handles all websites, each operation retried by itself. */
export const reconcilerFor = (dns: Dns): Reconciler<Website> =>
  router(
    [
      resourceSet<Website>({
        name: 'v1',
        handles: () => true,
        resources: [deployment, service, record(dns)].map((one) => withRetry({ retries: 3 }, one)),
      }),
    ],
    { finalizer: websiteFinalizer },
  );
