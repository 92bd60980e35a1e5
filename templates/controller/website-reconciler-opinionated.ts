/** Reconciler of Website as an opinionated watcher, as in grafana-app-sdk: called for additions, changes, and a deletion while the object still exists. */

import {
  ConfigMap,
  opinionated,
  ownerReferenceTo,
  type Reconciler,
  type Request,
  type ResourceWatcher,
} from 'workspace-sequencer/sdk';
import type { Website } from './website.ts';

async function ensureText(object: Website, { client, key, stored, signal }: Request<Website>): Promise<void> {
  const data = { text: object.spec.text };
  const current = stored(ConfigMap).get(key);
  if (current === undefined) {
    const metadata = { ...key, ownerReferences: [ownerReferenceTo(object)] };
    await client.create(ConfigMap, { metadata, data }, { signal });
  } else if (current.data?.text !== data.text) {
    await client.patch(ConfigMap, key, { type: 'merge', value: { data } }, { signal });
  }
}

const watcher: ResourceWatcher<Website> = {
  add: ensureText,
  update: (_former, object, request) => ensureText(object, request),
  sync: ensureText,
  async delete() {
    // Objects outside of the cluster would be deleted here; the garbage collector deletes the ConfigMap with its owner.
  },
};

/** Manages a ConfigMap of the Website's name with its text. */
export const reconcileWebsite: Reconciler<Website> = opinionated<Website>(
  { finalizer: 'example.com/website' },
  watcher,
);
