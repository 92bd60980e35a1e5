/** Condition of records that the third party has accepted, while they propagate to its name servers. */

import type { DnsBackend } from './backend.ts';

/** Status and reason, and ms until the next check; undefined when all name servers have the records. */
export interface PropagationCondition {
  readonly status: 'Completed' | 'Waiting';
  readonly reason: string;
  readonly wait: number | undefined;
}

/** Returns the condition: `Waiting` while name servers of the third party do not have the records. */
export async function propagationConditionOf(
  backend: Pick<DnsBackend, 'settling'>,
  { owner, reason, signal }: { readonly owner: string; readonly reason: string; readonly signal: AbortSignal },
): Promise<PropagationCondition> {
  const settling = await backend.settling?.(owner, signal);
  if (settling === undefined) return { status: 'Completed', reason, wait: undefined };
  const { wait } = settling;
  return { status: wait === undefined ? 'Completed' : 'Waiting', reason: `${reason}; ${settling.reason}`, wait };
}
