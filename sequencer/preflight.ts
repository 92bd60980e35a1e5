import type { Logger } from 'pino';
import { ApiError, type Clock, messageOf, OperatorError, UnreachableError, UserError } from '../sdk/index.ts';

/** One thing that has to hold before anything is walked; throws what is wrong. */
export interface Check {
  readonly name: string;
  run(signal: AbortSignal): Promise<void>;
}

/** What {@link createPreflight} takes. */
export interface PreflightOptions {
  readonly checks: readonly Check[];
  /** Whether it waits until somebody has mended what is wrong, with somebody looking at `problems`; else it throws. */
  readonly waits: boolean;
  readonly clock: Clock;
  readonly logger?: Logger | undefined;
}

/** The checks before the first walk. */
export interface Preflight {
  /** Resolves when all of them pass. @throws what the only failing one throws, OperatorError for several, the signal's reason */
  pass(signal: AbortSignal): Promise<void>;
  /** What is in the way, as sentences; empty once they have passed. */
  problems(): readonly string[];
}

/** ms between two tries. */
const retryInterval = 10_000;

/** What an administrator can mend while we wait. */
const isMendable = (error: unknown): boolean =>
  error instanceof UserError || error instanceof ApiError || error instanceof UnreachableError;

const textOf = (error: unknown): string =>
  error instanceof UserError ? `${error.code}: ${error.message}` : messageOf(error);

async function failuresIn(checks: readonly Check[], signal: AbortSignal) {
  const outcomes = await Promise.allSettled(checks.map((check) => check.run(signal)));
  return outcomes.flatMap((outcome, index) =>
    outcome.status === 'rejected' ? [{ name: checks[index]!.name, error: outcome.reason as unknown }] : [],
  );
}

/** Runs all checks side by side, again and again if it is to wait. */
export function createPreflight({ checks, waits, clock, logger }: PreflightOptions): Preflight {
  let problems: readonly string[] = ['rights and definitions are being checked'];
  return {
    problems: () => problems,
    async pass(signal) {
      for (;;) {
        const failures = await failuresIn(checks, signal);
        signal.throwIfAborted();
        const [first, ...others] = failures;
        if (first === undefined) break;
        if (!waits || failures.some(({ error }) => !isMendable(error)))
          throw others.length === 0 ? first.error : new OperatorError(failures);
        const texts = failures.map(({ error }) => textOf(error));
        if (texts.join() !== problems.join())
          for (const { error } of failures)
            logger?.error({ err: error, hint: error instanceof UserError ? error.hint : undefined }, textOf(error));
        problems = texts;
        await clock.sleep(retryInterval, signal);
      }
      problems = [];
    },
  };
}
