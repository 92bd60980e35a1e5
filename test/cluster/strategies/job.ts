import { isFields, valueAt } from '../objects/object.ts';
import type { Strategy } from './strategy.ts';

/** Jobs: without labels of their own they get those of their pods. */
export const jobStrategy: Strategy = {
  allocate(_machinery, draft, current) {
    const labels = valueAt(draft.spec, ['template', 'metadata', 'labels']);
    if (current !== undefined || draft.metadata.labels !== undefined || !isFields(labels)) return;
    draft.metadata.labels = { ...(labels as Record<string, string>) };
  },
};
