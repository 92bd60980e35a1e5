import { timestampOf } from '../machinery.ts';
import type { Strategy } from './strategy.ts';

/** Volumes: they are waiting from now on. */
export const volumeStrategy: Strategy = {
  prepareForCreate(machinery, draft) {
    protectedBy('kubernetes.io/pv-protection').prepareForCreate?.(machinery, draft);
    draft.status = { phase: 'Pending', lastPhaseTransitionTime: timestampOf(machinery.clock.now()) };
  },
};

/** A kind that is held by a finalizer of its own from the start. */
export const protectedBy = (finalizer: string): Strategy => ({
  prepareForCreate(_machinery, { metadata }) {
    const { finalizers = [] } = metadata;
    if (!finalizers.includes(finalizer)) metadata.finalizers = [...finalizers, finalizer];
  },
});
