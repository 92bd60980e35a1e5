import type { Ref } from './integration.ts';
import { ownRefs } from './mirror-record.ts';
import { unionOf } from './refs.ts';
import type { Session } from './session.ts';
import { restoredRefs } from './things.ts';

/** Every id known of a condition: recorded, learned late, and, where the journal was lost, mirrored. */
export function refsOf({ entry, mirror }: Pick<Session, 'entry' | 'mirror'>): readonly Ref[] {
  const recorded = unionOf((entry?.refs ?? []) as readonly Ref[], (entry?.late ?? []) as readonly Ref[]);
  const all = entry === undefined || entry.lost ? unionOf(recorded, ownRefs(mirror)) : recorded;
  return [...all, ...restoredRefs(mirror, all)];
}
