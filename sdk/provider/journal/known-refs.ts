/** Collects the known ids of a condition. */

import type { Ref } from '../contract/integration.ts';
import { restoredRefs } from './external-objects.ts';
import { ownRefs } from './read-mirror.ts';
import { unionOf } from './ref-sets.ts';
import type { Session } from './session.ts';

const recordedOf = (entry: Session['entry']): readonly Ref[] =>
  unionOf((entry?.refs ?? []) as readonly Ref[], (entry?.late ?? []) as readonly Ref[]);

/** Returns the ids that an integration is shown: during an unresolved attempt, those of its journal entry. */
export const shownRefs = (session: Pick<Session, 'entry' | 'mirror'>): readonly Ref[] =>
  session.entry?.phase === 'intent' && session.entry.lost !== true ? recordedOf(session.entry) : refsOf(session);

/**
 * Returns all known ids of a condition: recorded, late and mirrored. Once all is settled, mirror and journal agree; an id only in the mirror was
 * written by an attempt after it was taken over.
 */
export function refsOf({ entry, mirror }: Pick<Session, 'entry' | 'mirror'>): readonly Ref[] {
  const recorded = recordedOf(entry);
  const all = entry?.phase === 'gone' ? recorded : unionOf(recorded, ownRefs(mirror, entry));
  return [...all, ...restoredRefs(mirror, all, entry)];
}
