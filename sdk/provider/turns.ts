/** Rate-limited guards and drift checks. */

import { conditionOf } from '../api/workspace.ts';
import { BusyError, messageOf } from '../errors.ts';
import type { Verdict } from './breaker.ts';
import { found, refuseMistake } from './contract.ts';
import type { ExternalResource } from './external-resource.ts';
import type { GuardCall } from './guard.ts';
import { conditionFor, conditionPatch } from './journal.ts';
import { type Limits, verdictOf } from './limits.ts';
import { worthTelling } from './plugin-call.ts';
import { permissions } from './policy.ts';
import type { Session } from './session.ts';
import { onTheWay } from './waits.ts';

/**
 * Reports a long wait for the rate limiter in the condition. Reports nothing under a policy without changes, whose condition shows the last
 * observation.
 */
async function tellWaiting(session: Session, reason: string, wait: number): Promise<void> {
  const { workspace, scope, host } = session;
  const { type, policy = 'manage' } = scope;
  if (!permissions[policy].changes) return;
  const { entry: seen } = session;
  const before = conditionOf(workspace, type);
  const isLocked = seen?.phase === 'intent' || seen?.phase === 'unknown';
  if (wait < worthTelling || isLocked || !onTheWay.has(before.status) || before.reason === reason) return;
  const condition = conditionFor(workspace, { type, status: 'Waiting', reason }, host.clock.now());
  await session.patchStatus(conditionPatch(workspace, condition));
}

const longestCredential = 253;

/** Acquired permit. */
interface Taken {
  begin(): void;
  end(verdict: Verdict): void;
  release(): void;
}

/**
 * Returns the name of the credential that a workspace uses. @throws ContractError if the integration's function fails or returns anything but a name
 */
function credentialOf({ scope, workspace }: Session, { credential }: Limits): string {
  if (credential === undefined) return '';
  let name: unknown;
  try {
    name = credential(workspace);
  } catch (error) {
    refuseMistake(scope, `limits.credential must not throw; it threw ${messageOf(error)}`);
  }
  const isName = typeof name === 'string' && name.length <= longestCredential;
  const expected = `must answer a text of at most ${longestCredential} characters`;
  refuseMistake(scope, isName ? undefined : `limits.credential ${expected}; found ${found(name)}`);
  return name as string;
}

/** Acquires a permit. @throws ContractError, BusyError with the ms after which to return, with its place kept; StaleError */
async function takeTurn(session: Session, limits: Limits): Promise<Taken> {
  const { lines, clock } = session.host;
  const { workspace, slot } = session;
  const credential = credentialOf(session, limits);
  const line = lines.of(limits, credential, clock.monotonic());
  const answer = line.ask({ slot, group: workspace.metadata.namespace ?? '' }, clock.monotonic());
  if ('wait' in answer) {
    const whose = credential === '' ? '' : ` for credential "${credential}"`;
    const reason = line.rests(clock.monotonic())
      ? `circuit breaker open${whose}: third party failing or throttling`
      : `rate limited${whose}: ${limits.rate} calls per second at most`;
    await tellWaiting(session, reason, answer.wait);
    throw new BusyError(`${session.scope.type}: ${reason}`, answer.wait);
  }
  const { turn } = answer;
  return {
    begin: () => turn.begin(clock.monotonic()),
    end: (verdict) => turn.end(verdict, clock.monotonic()),
    release: () => {
      turn.release(clock.monotonic());
      lines.over(limits, credential, clock.monotonic());
    },
  };
}

/** Wraps a call so that it counts against the permit, with its result as evidence of the third party's health. */
const counted =
  <Args extends readonly unknown[], T>(turn: Taken, call: (...args: Args) => Promise<T>) =>
  async (...args: Args): Promise<T> => {
    turn.begin();
    try {
      const answer = await call(...args);
      turn.end({ kind: 'answered' });
      return answer;
    } catch (error) {
      turn.end(verdictOf(error));
      throw error;
    }
  };

/**
 * Runs a guard once the rate limiter of its credential permits. Nothing is locked before: a guard that must wait gets a BusyError.
 * @throws BusyError, and the error of `run`
 */
export async function inTurn(
  session: Session,
  call: GuardCall,
  run: (call: GuardCall) => Promise<void>,
): Promise<void> {
  const { limits } = session.scope;
  if (limits === undefined) return run(call);
  const turn = await takeTurn(session, limits);
  const { recover } = call.options;
  const options = { ...call.options, ...(recover && { recover: counted(turn, recover) }) };
  try {
    await run({ ...call, task: counted(turn, call.task), options });
  } finally {
    turn.release();
  }
}

/** Wraps a resource so that drift checks acquire a permit. */
export function lookingInTurn<Wanted, Id extends object>(
  session: Session,
  resource: ExternalResource<Wanted, Id>,
): ExternalResource<Wanted, Id> {
  const { limits } = session.scope;
  const { observe } = resource;
  if (limits === undefined || observe === undefined) return resource;
  return {
    ...resource,
    observe: async (...args) => {
      const turn = await takeTurn(session, limits);
      try {
        return await counted(turn, observe)(...args);
      } finally {
        turn.release();
      }
    },
  };
}
