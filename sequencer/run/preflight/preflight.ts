/** Checks before the first walk, repeated while walks run. */

import type { Logger } from 'pino';
import {
  ApiError,
  backoffs,
  type Clock,
  type Failure,
  messageOf,
  OperatorError,
  UnreachableError,
  UserError,
} from '../../../sdk/index.ts';

/** Precondition of all walks; rejects with the problem. */
export interface Check {
  readonly name: string;
  run(signal: AbortSignal): Promise<void>;
}

/** Options of {@link createPreflight}. */
export interface PreflightOptions {
  readonly checks: readonly Check[];
  /** True to wait until a problem is fixed, with `problems` exposed; else it throws. */
  readonly waits: boolean;
  /** Calls `changed` whenever the checks may have another result, until the signal aborts; never rejects. @default checks run periodically only */
  readonly follow?: ((changed: () => void, signal: AbortSignal) => Promise<void>) | undefined;
  readonly clock: Clock;
  readonly logger?: Logger | undefined;
}

/** Checks before the first walk, repeated while walks run. */
export interface Preflight {
  /** Resolves when all checks pass. @throws the error of the only failing check, OperatorError for several, the signal's reason */
  pass(signal: AbortSignal): Promise<void>;
  /**
   * Repeats the checks periodically once they have passed, and after a change that `follow` reports, until the signal aborts, and rejects with
   * its reason; failures are logged and become problems.
   */
  repeat(signal: AbortSignal): Promise<never>;
  /** Returns the current problems as sentences; empty while all checks pass. */
  problems(): readonly string[];
}

/** Minimum ms between two attempts, also after changes, since another writer may revert each correction. */
const retryInterval = backoffs.preflight.initialDelay;
/** ms until passed checks are repeated: a CRD may be reverted, a permission revoked. */
const repeatInterval = 300_000;

/** Reports whether an administrator can fix the problem while the process waits. */
const isFixable = (error: unknown): boolean =>
  error instanceof UserError || error instanceof ApiError || error instanceof UnreachableError;

/** Describes a refusal of the server with the request, which the server's message lacks. */
function refusalText({ code, status, request }: ApiError): string {
  const [path] = request.path.split('?');
  return `${request.server} answers ${code} to ${request.method} ${path}${status.message === undefined ? '' : `: ${status.message}`}`;
}

const textOf = (error: unknown): string => {
  if (error instanceof UserError) return `${error.code}: ${error.message}`;
  return error instanceof ApiError ? refusalText(error) : messageOf(error);
};

async function failuresIn(checks: readonly Check[], signal: AbortSignal): Promise<readonly Failure[]> {
  const outcomes = await Promise.allSettled(checks.map((check) => check.run(signal)));
  return outcomes.flatMap((outcome, index) =>
    outcome.status === 'rejected' ? [{ name: checks[index]!.name, error: outcome.reason as unknown }] : [],
  );
}

/** Runs all checks concurrently, and repeatedly if configured to wait. */
export function createPreflight({ checks, waits, follow, clock, logger }: PreflightOptions): Preflight {
  let problems: readonly string[] = ['rights and definitions are being checked'];
  let isReported = false;
  const runChecks = async (signal: AbortSignal) => {
    const failures = await failuresIn(checks, signal);
    signal.throwIfAborted();
    return failures;
  };
  const report = (failures: readonly Failure[]): void => {
    const texts = failures.map(({ error }) => textOf(error));
    if (texts.join() !== problems.join())
      for (const { error } of failures)
        logger?.error({ err: error, hint: error instanceof UserError ? error.hint : undefined }, textOf(error));
    if (isReported && texts.length === 0) logger?.info('rights and definitions are in order again');
    isReported = texts.length > 0;
    problems = texts;
  };
  return {
    problems: () => problems,
    async pass(signal) {
      for (;;) {
        const failures = await runChecks(signal);
        if (failures.length > 0 && (!waits || failures.some(({ error }) => !isFixable(error))))
          throw failures.length === 1 ? failures[0]!.error : new OperatorError(failures);
        report(failures);
        if (failures.length === 0) return;
        await clock.sleep(retryInterval, signal);
      }
    },
    async repeat(signal) {
      let changed = new AbortController();
      void follow?.(() => changed.abort(), signal);
      for (;;) {
        await clock.sleep(retryInterval, signal);
        const early = AbortSignal.any([signal, changed.signal]);
        const rest = problems.length === 0 ? repeatInterval - retryInterval : 0;
        await clock.sleep(rest, early).catch(() => signal.throwIfAborted());
        changed = new AbortController();
        report(await runChecks(signal));
      }
    },
  };
}
