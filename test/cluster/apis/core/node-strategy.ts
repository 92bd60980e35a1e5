/** Create and update strategy of Nodes. */

import { type Draft, type Fields, isFields } from '../../apimachinery/object.ts';
import type { Strategy } from '../../server/strategy.ts';

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

/** Removes the dynamic kubelet configuration, which is no longer supported. */
function withoutConfig(draft: Draft): void {
  const { configSource, ...spec } = isFields(draft.spec) ? draft.spec : ({} as Fields);
  const { config, ...status } = isFields(draft.status) ? draft.status : ({} as Fields);
  if (configSource !== undefined) draft.spec = spec;
  if (config !== undefined) draft.status = status;
}

/** Nodes: they report their own status, and are created with a taint. */
export const nodeStrategy: Strategy = {
  keepsStatus: true,
  prepareForUpdate(draft) {
    withoutConfig(draft);
  },
  prepareForCreate(_server, draft) {
    withoutConfig(draft);
    const spec = isFields(draft.spec) ? draft.spec : {};
    const taints = Array.isArray(spec.taints) ? spec.taints : [];
    const isTainted = taints.some((taint) => isFields(taint) && taint.key === notReady.key);
    draft.spec = isTainted ? spec : { ...spec, taints: [...taints, notReady] };
  },
};
