import type { Workspace } from '../api/workspace.ts';
import type { Ref } from './integration.ts';
import { entryOf } from './journal.ts';
import { mirrored, unionOf } from './mirror.ts';

/** Every id known of a condition: recorded, learned late, and, where the journal was lost, mirrored. */
export function refsOf(workspace: Workspace, type: string): readonly Ref[] {
  const entry = entryOf(workspace, type);
  if (entry === undefined || entry.lost)
    return unionOf((entry?.refs ?? []) as readonly Ref[], mirrored(workspace, type));
  return unionOf((entry.refs ?? []) as readonly Ref[], (entry.late ?? []) as readonly Ref[]);
}
