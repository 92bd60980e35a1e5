/** Classifies events of a watch. */

import type { EventFrame } from '../requests/watch-framing.ts';

/** Reports whether an event is about an object. */
export const isChange = ({ type }: EventFrame): boolean =>
  type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED';

/** Reports whether an event is the bookmark that ends the initial events. */
export const isInitialEnd = ({ type, bytes }: EventFrame): boolean =>
  type === 'BOOKMARK' && Buffer.from(bytes).includes('k8s.io/initial-events-end');
