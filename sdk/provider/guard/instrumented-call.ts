/** Instruments calls to third parties: the observer and the log record each one. */

import type { OutsideCall, Recovery } from '../../api/outside-observer.ts';
import { claimOf } from '../../api/workspace.ts';
import { DefiniteError, GiveUpError, ThrottledError, UnreachableError } from '../../errors.ts';
import { errorThrownBy } from '../../thrown.ts';
import type { Scope, Session } from '../journal/session.ts';
import { taskErrorOf } from './partial-effect-error.ts';

/** Classifies an error by its effect on the third party; an unknown error is ambiguous. */
export function errorEffectOf(error: unknown): 'definite' | 'ambiguous' | 'throttled' {
  if (error instanceof ThrottledError) return 'throttled';
  if (error instanceof DefiniteError || error instanceof GiveUpError) return 'definite';
  return error instanceof UnreachableError && error.notSent ? 'definite' : 'ambiguous';
}

const outcomes = { definite: 'refused', ambiguous: 'unknown', throttled: 'throttled' } as const;

/** Returns the name of a scope's integration: the config's, never a tenant's. */
const integrationOf = ({ claim }: Scope): string => claim.slice(claimOf('').length);

/** Calls a third party once, and reports its duration and outcome to the observer; a change has its line in the log at `info`. @throws the error of `call` */
export async function instrumentedCall<T>(
  { host, scope, key }: Session,
  operation: OutsideCall['operation'],
  call: () => Promise<T>,
): Promise<T> {
  const begun = host.clock.monotonic();
  const tell = (outcome: OutsideCall['outcome']): void => {
    const report = { integration: integrationOf(scope), operation, outcome, ms: host.clock.monotonic() - begun };
    host.observer.called?.(report);
    if (operation === 'observe') return;
    host.logger?.info({ workspace: key, condition: scope.type, ...report }, 'changed outside');
  };
  try {
    const answer = await call();
    tell('success');
    return answer;
  } catch (thrown) {
    const error = errorThrownBy(operation === 'observe' ? operation : 'the task', thrown);
    tell(outcomes[errorEffectOf(taskErrorOf(error))]);
    throw error;
  }
}

/** Reports to the observer that an unresolved attempt was taken over. */
export const reportRecovery = ({ host, scope }: Session, recovery: Recovery['recovery']): void =>
  host.observer.recovered?.({ integration: integrationOf(scope), recovery });

/** Reports drift to the observer. */
export const reportDrift = ({ host, scope }: Session): void => host.observer.drifted?.(integrationOf(scope));
