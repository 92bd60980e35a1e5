/** Reconciler of Website in phases, as in operator-sdk-extra: each has a condition, and starts when the previous one is complete. */

import { ConfigMap, children, phases, type Reconciler } from 'workspace-sequencer/sdk';
import type { Website } from './website.ts';

/** Manages a ConfigMap of the Website's name with its text. The garbage collector deletes it with its owner. */
export const reconcileWebsite: Reconciler<Website> = phases<Website>({
  phases: [
    {
      name: 'ConfigMap',
      reconcile: children({
        kind: ConfigMap,
        wanted: ({ object: { metadata, spec } }) => [{ metadata: { name: metadata.name }, data: { text: spec.text } }],
      }),
    },
  ],
});
