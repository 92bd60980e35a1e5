import type { Ref } from './integration.ts';
import { ownRefs } from './mirror-record.ts';
import { unionOf } from './refs.ts';
import type { Session } from './session.ts';
import { restoredRefs } from './things.ts';

const recordedOf = (entry: Session['entry']): readonly Ref[] =>
  unionOf((entry?.refs ?? []) as readonly Ref[], (entry?.late ?? []) as readonly Ref[]);

/** The ids that an integration is shown: of an attempt that has not come to an end, those that its journal entry holds. */
export const shownRefs = (session: Pick<Session, 'entry' | 'mirror'>): readonly Ref[] =>
  session.entry?.phase === 'intent' && session.entry.lost !== true ? recordedOf(session.entry) : refsOf(session);

/**
 * Every id known of a condition: recorded, learned late, and mirrored. Once all is settled the mirror holds what the journal holds; an id that only the
 * mirror has is one that an attempt could still write down after it was taken over.
 */
export function refsOf({ entry, mirror }: Pick<Session, 'entry' | 'mirror'>): readonly Ref[] {
  const recorded = recordedOf(entry);
  const all = entry?.phase === 'gone' ? recorded : unionOf(recorded, ownRefs(mirror));
  return [...all, ...restoredRefs(mirror, all)];
}
