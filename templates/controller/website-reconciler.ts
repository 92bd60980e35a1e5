/** Reconciler of Website as a plain function: it compares the current with the desired state. */

import { ConfigMap, done, ownerReferenceTo, type Reconciler } from 'workspace-sequencer/sdk';
import type { Website } from './website.ts';

/** Manages a ConfigMap of the Website's name with its text. The garbage collector deletes it with its owner. */
export const reconcileWebsite: Reconciler<Website> = async ({ object, key, client, stored, signal }) => {
  if (object === undefined) return done; // it was deleted
  const data = { text: object.spec.text };
  const current = stored(ConfigMap).get(key);
  if (current === undefined) {
    const metadata = { ...key, ownerReferences: [ownerReferenceTo(object)] };
    await client.create(ConfigMap, { metadata, data }, { signal });
  } else if (current.data?.text !== data.text) {
    await client.patch(ConfigMap, key, { type: 'merge', value: { data } }, { signal });
  }
  return done;
};
