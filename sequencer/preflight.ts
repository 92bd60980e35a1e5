import type { Logger } from 'pino';
import {
  ApiError,
  type Clock,
  type Failure,
  messageOf,
  OperatorError,
  UnreachableError,
  UserError,
} from '../sdk/index.ts';

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

/** The checks before the first walk, and beside the walks. */
export interface Preflight {
  /** Resolves when all of them pass. @throws what the only failing one throws, OperatorError for several, the signal's reason */
  pass(signal: AbortSignal): Promise<void>;
  /** Once they have passed: runs them again every five minutes until the signal aborts, and rejects with its reason; what fails is logged and among the problems. */
  repeat(signal: AbortSignal): Promise<never>;
  /** What is in the way, as sentences; empty while all pass. */
  problems(): readonly string[];
}

/** ms between two tries of what fails. */
const retryInterval = 10_000;
/** ms until what has passed is checked again: a definition may be set back, a right be taken away. */
const repeatInterval = 300_000;

/** What an administrator can mend while we wait. */
const isMendable = (error: unknown): boolean =>
  error instanceof UserError || error instanceof ApiError || error instanceof UnreachableError;

const textOf = (error: unknown): string =>
  error instanceof UserError ? `${error.code}: ${error.message}` : messageOf(error);

async function failuresIn(checks: readonly Check[], signal: AbortSignal): Promise<readonly Failure[]> {
  const outcomes = await Promise.allSettled(checks.map((check) => check.run(signal)));
  return outcomes.flatMap((outcome, index) =>
    outcome.status === 'rejected' ? [{ name: checks[index]!.name, error: outcome.reason as unknown }] : [],
  );
}

/** Runs all checks side by side, and again and again if it is to wait. */
export function createPreflight({ checks, waits, clock, logger }: PreflightOptions): Preflight {
  let problems: readonly string[] = ['rights and definitions are being checked'];
  const look = async (signal: AbortSignal) => {
    const failures = await failuresIn(checks, signal);
    signal.throwIfAborted();
    return failures;
  };
  const tell = (failures: readonly Failure[]): void => {
    const texts = failures.map(({ error }) => textOf(error));
    if (texts.join() !== problems.join())
      for (const { error } of failures)
        logger?.error({ err: error, hint: error instanceof UserError ? error.hint : undefined }, textOf(error));
    problems = texts;
  };
  return {
    problems: () => problems,
    async pass(signal) {
      for (;;) {
        const failures = await look(signal);
        if (failures.length > 0 && (!waits || failures.some(({ error }) => !isMendable(error))))
          throw failures.length === 1 ? failures[0]!.error : new OperatorError(failures);
        tell(failures);
        if (failures.length === 0) return;
        await clock.sleep(retryInterval, signal);
      }
    },
    async repeat(signal) {
      for (;;) {
        await clock.sleep(problems.length === 0 ? repeatInterval : retryInterval, signal);
        tell(await look(signal));
      }
    },
  };
}
