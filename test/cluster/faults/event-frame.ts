import type { EventFrame } from '../http/framing.ts';

/** Whether an event is about an object, and not about the watch itself. */
export const isChange = ({ type }: EventFrame): boolean =>
  type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED';

/** Whether an event ends the initial ones of a streaming list. */
export const isInitialEnd = ({ type, bytes }: EventFrame): boolean =>
  type === 'BOOKMARK' && Buffer.from(bytes).includes('k8s.io/initial-events-end');
