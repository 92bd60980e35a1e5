/** Starts the clocks of take-overs for conditions that wait for their turn. */

import type { ProviderHost } from '../../sdk/host/index.ts';
import { createController, isDeleting, type Workspace } from '../../sdk/index.ts';
import { hostFor } from '../tenants/configured-integration.ts';
import type { Move } from './plan/plan.ts';
import { isClaimed } from './plan/shared-condition.ts';
import { scopeOf } from './workspace-patches.ts';

/**
 * Begins to observe the journal of each claimed condition that waits for its turn: the time in which requests of a dead holder or of a lost journal may
 * still be carried out elapses for all of them together, not for one after the other.
 */
export function startTakeoverClocks(host: ProviderHost, workspace: Workspace, moves: readonly Move[]): void {
  for (const move of moves) {
    if (move.kind !== 'wait' || !isClaimed(workspace, move.integration)) continue;
    const scope = scopeOf(workspace, move.integration, isDeleting(workspace));
    createController(hostFor(host, move.integration), workspace, scope).locked();
  }
}
