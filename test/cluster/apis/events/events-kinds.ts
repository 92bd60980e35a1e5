/** Rules of the kinds of `events.k8s.io`. */

import type { BuiltinKind } from '../builtin-kind.ts';
import { newEvent } from '../core/event-validation.ts';

/** Rules of the kinds of `events.k8s.io`, by type. */
export const eventsKinds: Readonly<Record<string, BuiltinKind>> = {
  'events.Event': { check: newEvent },
};
