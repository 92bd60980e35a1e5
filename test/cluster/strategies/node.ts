import { type Draft, type Fields, isFields } from '../objects/object.ts';
import type { Strategy } from './strategy.ts';

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

/** Kubelets are no longer configured by the server. */
function withoutConfig(draft: Draft): void {
  const { configSource, ...spec } = isFields(draft.spec) ? draft.spec : ({} as Fields);
  const { config, ...status } = isFields(draft.status) ? draft.status : ({} as Fields);
  if (configSource !== undefined) draft.spec = spec;
  if (config !== undefined) draft.status = status;
}

/** Nodes: they report their own status, and start tainted. */
export const nodeStrategy: Strategy = {
  keepsStatus: true,
  prepareForUpdate(draft) {
    withoutConfig(draft);
  },
  prepareForCreate(_machinery, draft) {
    withoutConfig(draft);
    const spec = isFields(draft.spec) ? draft.spec : {};
    const taints = Array.isArray(spec.taints) ? spec.taints : [];
    const isTainted = taints.some((taint) => isFields(taint) && taint.key === notReady.key);
    draft.spec = isTainted ? spec : { ...spec, taints: [...taints, notReady] };
  },
};
