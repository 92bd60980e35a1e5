/** Reconciler of Website as a crud resource, as in operatorkit: current state, desired state, a patch, and its application. */

import {
  ConfigMap,
  crud,
  ownerReferenceTo,
  type Reconciler,
  resourceSet,
  router,
  withRetry,
} from 'workspace-sequencer/sdk';
import type { Website } from './website.ts';

type Data = { readonly text: string };

const text = crud<Website, ConfigMap | undefined, Data, Data, Data, never>({
  name: 'text',
  getCurrentState: ({ stored, key }) => stored(ConfigMap).get(key),
  getDesiredState: ({ object: { spec } }) => ({ text: spec.text }),
  newUpdatePatch(current, desired) {
    if (current === undefined) return { create: desired };
    return current.data?.text === desired.text ? undefined : { update: desired };
  },
  async applyCreateChange(data, { client, key, object, signal }) {
    const metadata = { ...key, ownerReferences: [ownerReferenceTo(object)] };
    await client.create(ConfigMap, { metadata, data }, { signal });
  },
  async applyUpdateChange(data, { client, key, signal }) {
    await client.patch(ConfigMap, key, { type: 'merge', value: { data } }, { signal });
  },
});

/** Manages a ConfigMap of the Website's name with its text. The garbage collector deletes it with its owner. */
export const reconcileWebsite: Reconciler<Website> = router<Website>([
  resourceSet<Website>({ name: 'v1alpha1', handles: () => true, resources: [withRetry({ retries: 3 }, text)] }),
]);
