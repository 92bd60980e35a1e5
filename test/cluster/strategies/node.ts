import { isFields } from '../objects/object.ts';
import type { Strategy } from './strategy.ts';

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

/** Nodes: they report their own status, and start tainted. */
export const nodeStrategy: Strategy = {
  keepsStatus: true,
  prepareForCreate(_machinery, draft) {
    const spec = isFields(draft.spec) ? draft.spec : {};
    const taints = Array.isArray(spec.taints) ? spec.taints : [];
    const isTainted = taints.some((taint) => isFields(taint) && taint.key === notReady.key);
    draft.spec = isTainted ? spec : { ...spec, taints: [...taints, notReady] };
    const { status } = draft;
    if (isFields(status) && status.capacity && !status.allocatable)
      draft.status = { ...status, allocatable: status.capacity };
  },
};
