/** A website in grafana-app-sdk's model. */

import {
  Deployment,
  type Kind,
  type KubeObject,
  type NewObject,
  opinionated,
  ownerReferenceTo,
  type Reconciler,
  type Request,
  type ResourceWatcher,
  Service,
} from 'workspace-sequencer/sdk';
import { addressOf, type Dns, deploymentOf, serviceOf, type Website, websiteFinalizer } from '../website.ts';

/** Creates one child of a website if it is missing; it is garbage-collected with its owner. */
async function ensureChild<R extends KubeObject>(
  { client, stored, key, signal }: Request<Website>,
  kind: Kind<R>,
  wanted: { readonly website: Website; readonly child: NewObject<R> },
): Promise<void> {
  if (stored(kind).get(key) !== undefined) return;
  const metadata = { ...wanted.child.metadata, ownerReferences: [ownerReferenceTo(wanted.website)] };
  await client.create(kind, { ...wanted.child, metadata }, { signal });
}

/**
 * Reconciles a website with an opinionated watcher: it is called once for a new website, for changes, and for a deletion while the website still
 * exists.
 */
export function reconcilerFor(dns: Dns): Reconciler<Website> {
  const ensure = async (website: Website, request: Request<Website>): Promise<void> => {
    await ensureChild(request, Deployment, { website, child: deploymentOf(website) });
    await ensureChild(request, Service, { website, child: serviceOf(website) });
    await dns.put(website.spec.domain, addressOf(website));
  };
  const watcher: ResourceWatcher<Website> = {
    add: ensure,
    sync: ensure,
    async update(old, website, request) {
      const { client, stored, key, signal } = request;
      if (old.spec.domain !== website.spec.domain) await dns.drop(old.spec.domain);
      await ensure(website, request);
      const { replicas } = website.spec;
      if (stored(Deployment).get(key)?.spec?.replicas !== replicas)
        await client.patch(Deployment, key, { type: 'merge', value: { spec: { replicas } } }, { signal });
    },
    delete: ({ spec }) => dns.drop(spec.domain),
  };
  return opinionated<Website>({ finalizer: websiteFinalizer }, watcher);
}
