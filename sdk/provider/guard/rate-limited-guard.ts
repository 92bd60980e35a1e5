/** Rate-limited guards and drift checks. */

import { conditionOf } from '../../api/workspace.ts';
import { BusyError } from '../../errors.ts';
import { messageOf } from '../../thrown.ts';
import { reportAfter } from '../contract/call-deadline.ts';
import type { ExternalResource } from '../contract/external-resource.ts';
import { policyEffects } from '../contract/management-policy.ts';
import { describeValue } from '../describe-value.ts';
import { conditionFor, conditionPatch } from '../journal/journal-patch.ts';
import { isLocked } from '../journal/recorded-claim.ts';
import type { Session } from '../journal/session.ts';
import type { CallOutcome } from '../limits/circuit-breaker.ts';
import { callOutcomeOf, type RateLimits } from '../limits/rate-limits.ts';
import { throwIfMistake } from '../value-mistakes.ts';
import { type GuardCall, guard } from './guard.ts';
import { instrumentedCall } from './instrumented-call.ts';

/** Statuses that a report of a wait may replace: those without a result. */
export const inProgressStatuses: ReadonlySet<string> = new Set(['Initialized', 'Created', 'In Progress', 'Waiting']);

/**
 * Reports a long wait for the rate limiter in the condition. Reports nothing under a policy without changes, whose condition shows the last
 * observation.
 */
async function reportWaiting(session: Session, reason: string, wait: number): Promise<void> {
  const { workspace, scope, host } = session;
  const { type, policy = 'manage' } = scope;
  if (!policyEffects[policy].changes) return;
  const { entry: seen } = session;
  const before = conditionOf(workspace, type);
  if (wait < reportAfter || isLocked(seen) || !inProgressStatuses.has(before.status) || before.reason === reason)
    return;
  const condition = conditionFor(session, { type, status: 'Waiting', reason }, host.clock.now());
  await session.patchStatus(conditionPatch(workspace, condition));
}

const maxCredentialLength = 253;

/** Acquired permit. */
interface ActivePermit {
  begin(): void;
  end(outcome: CallOutcome): void;
  release(): void;
}

/**
 * Returns the name of the credential that a workspace uses. @throws ContractError if the integration's function fails or returns anything but a name
 */
function credentialOf({ scope, workspace }: Session, { credential }: RateLimits): string {
  if (credential === undefined) return '';
  let name: unknown;
  try {
    name = credential(workspace);
  } catch (error) {
    throwIfMistake(scope, `limits.credential must not throw; it threw ${messageOf(error)}`);
  }
  const isName = typeof name === 'string' && name.length <= maxCredentialLength;
  const expected = `must return a string of at most ${maxCredentialLength} characters`;
  throwIfMistake(scope, isName ? undefined : `limits.credential ${expected}; found ${describeValue(name)}`);
  return name as string;
}

/** Acquires a permit. @throws BusyError with the ms to wait, while the condition keeps its place in the queue; ContractError, StaleError */
async function acquirePermit(session: Session, limits: RateLimits): Promise<ActivePermit> {
  const { rateLimiters, clock } = session.host;
  const { workspace, lockKey } = session;
  const credential = credentialOf(session, limits);
  const limiter = rateLimiters.of(limits, credential, clock.monotonic());
  const answer = limiter.reserve({ key: lockKey, group: workspace.metadata.namespace ?? '' }, clock.monotonic());
  if ('wait' in answer) {
    const whose = credential === '' ? '' : ` for credential "${credential}"`;
    const reason = limiter.isBlocked(clock.monotonic())
      ? `circuit breaker open${whose}: third party failing or throttling`
      : `rate limited${whose}: ${limits.rate} calls per second at most`;
    await reportWaiting(session, reason, answer.wait);
    throw new BusyError(`${session.scope.type}: ${reason}`, answer.wait);
  }
  const { permit } = answer;
  return {
    begin: () => permit.begin(clock.monotonic()),
    end: (outcome) => permit.end(outcome, clock.monotonic()),
    release: () => {
      permit.release(clock.monotonic());
      rateLimiters.removeIdle(limits, credential, clock.monotonic());
    },
  };
}

/** Wraps a call so that it counts against the permit, with its result as evidence of the third party's health. */
const withPermit =
  <Args extends readonly unknown[], T>(permit: ActivePermit, call: (...args: Args) => Promise<T>) =>
  async (...args: Args): Promise<T> => {
    permit.begin();
    try {
      const answer = await call(...args);
      permit.end({ kind: 'answered' });
      return answer;
    } catch (error) {
      permit.end(callOutcomeOf(error));
      throw error;
    }
  };

/**
 * Runs a guard once the rate limiter of its credential permits. Nothing is locked before: a guard that must wait gets a BusyError.
 * @throws BusyError, and the errors of {@link guard}
 */
export async function rateLimitedGuard(session: Session, call: GuardCall): Promise<void> {
  const { limits } = session.scope;
  if (limits === undefined) return guard(session, call);
  const permit = await acquirePermit(session, limits);
  const { recover } = call.options;
  const options = { ...call.options, ...(recover && { recover: withPermit(permit, recover) }) };
  try {
    await guard(session, { ...call, task: withPermit(permit, call.task), options });
  } finally {
    permit.release();
  }
}

/** Wraps a resource so that drift checks are reported to the observer, and acquire a permit. */
export function withRateLimitedObserve<Wanted, Id extends object>(
  session: Session,
  resource: ExternalResource<Wanted, Id>,
): ExternalResource<Wanted, Id> {
  const { limits } = session.scope;
  if (resource.observe === undefined) return resource;
  const { observe } = resource;
  const instrumented: typeof observe = (...args) => instrumentedCall(session, 'observe', async () => observe(...args));
  if (limits === undefined) return { ...resource, observe: instrumented };
  return {
    ...resource,
    observe: async (...args) => {
      const permit = await acquirePermit(session, limits);
      try {
        return await withPermit(permit, instrumented)(...args);
      } finally {
        permit.release();
      }
    },
  };
}
