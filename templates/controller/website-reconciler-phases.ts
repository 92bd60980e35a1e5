/** Reconciler of Website in phases, as in operator-sdk-extra: each has a condition, and begins when the one before is complete. */

import { ConfigMap, children, phases, type Reconciler } from 'workspace-sequencer/sdk';
import type { Website } from './website.ts';

/** Keeps a ConfigMap of the Website's name with its text. It goes with its owner, by the garbage collector. */
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
