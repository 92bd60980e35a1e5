import type { Strategy } from './strategy.ts';

/** A kind that is held by a finalizer of its own from the start. */
export const protectedBy = (finalizer: string): Strategy => ({
  prepareForCreate(_machinery, { metadata }) {
    const { finalizers = [] } = metadata;
    if (!finalizers.includes(finalizer)) metadata.finalizers = [...finalizers, finalizer];
  },
});
