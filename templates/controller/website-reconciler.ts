/** Reconciler of Website as a plain function: it looks, and does what is missing. */

import { ConfigMap, done, ownerReferenceTo, type Reconciler } from 'workspace-sequencer/sdk';
import type { Website } from './website.ts';

/** Keeps a ConfigMap of the Website's name with its text. It goes with its owner, by the garbage collector. */
export const reconcileWebsite: Reconciler<Website> = async ({ object, key, client, stored, signal }) => {
  if (object === undefined) return done; // it is gone
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
