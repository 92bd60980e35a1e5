import type { Logger } from 'pino';
import type { Workspace } from '../api/workspace.ts';
import {
  ApiError,
  ContractError,
  DefiniteError,
  FencedError,
  GiveUpError,
  ThrottledError,
  UnreachableError,
} from '../errors.ts';
import { unknownIn } from '../options.ts';
import type { Verdict } from './breaker.ts';
import { found, isRecord } from './contract.ts';
import { neverArrived } from './http-errors.ts';
import { Line, type LineOptions } from './line.ts';

/**
 * How often an integration may call its third party, per credential and process. One call is one guarded change, or one look at what may have been
 * changed outside. Integrations that are given the same object share its lines.
 */
export interface Limits extends LineOptions {
  /** The name of the credential that a workspace uses, never the credential itself: pure, cheap, never throws. @default all use one */
  readonly credential?: (workspace: Workspace) => string;
}

const known = new Set(['credential', 'rate', 'burst', 'breaker']);
const knownOfBreaker = new Set(['failures', 'pause', 'longestPause']);

/** Whether it is a number of at least so much. */
const isFrom = (value: unknown, least: number): value is number => typeof value === 'number' && value >= least;

/** What is wrong with these limits, as `field expected`; undefined when nothing is. */
export function mistakeIn(limits: Limits): string | undefined {
  const { credential, rate, burst = 1, breaker = {} } = limits;
  if (!isRecord(breaker)) return `breaker must be an object, found ${found(breaker)}`;
  const { failures = 1, pause = 1, longestPause = Number.POSITIVE_INFINITY } = breaker;
  const unknown = unknownIn(limits, known) ?? unknownIn(breaker, knownOfBreaker, 'breaker.');
  if (unknown !== undefined) return unknown;
  if (!(rate > 0 && Number.isFinite(rate)))
    return `rate must be a number of calls per second above 0, found ${found(rate)}`;
  if (!(burst >= 1 && Number.isFinite(burst))) return `burst must be a number of calls from 1, found ${found(burst)}`;
  if (!isFrom(failures, 1)) return `breaker.failures must be a number of calls from 1, found ${found(failures)}`;
  if (!isFrom(pause, Number.MIN_VALUE)) return `breaker.pause must be ms above 0, found ${found(pause)}`;
  if (!isFrom(longestPause, pause))
    return `breaker.longestPause must be at least pause (${pause} ms), found ${found(longestPause)}`;
  if (credential !== undefined && typeof credential !== 'function')
    return 'credential must be a function (workspace) => name of a credential';
  return undefined;
}

/** Whether a thrown error is the API server's or our own, and says nothing about the third party. */
const isOurs = (error: unknown): boolean =>
  error instanceof ApiError ||
  error instanceof UnreachableError ||
  error instanceof FencedError ||
  error instanceof ContractError;

/** What an error that a call ended with says about whoever answers for the credential. */
export function verdictOf(error: unknown): Verdict {
  if (error instanceof ThrottledError) return { kind: 'throttled', retryAfter: error.retryAfter ?? 0 };
  if (isOurs(error)) return { kind: 'unknown' };
  const answered = error instanceof DefiniteError || error instanceof GiveUpError;
  return { kind: answered && !neverArrived(error) ? 'answered' : 'failed' };
}

/** The lines of a process: one for each credential in use, kept while somebody waits or something is to be remembered. */
export class Lines {
  readonly #logger: Logger | undefined;
  readonly #lines = new Map<Limits, Map<string, Line>>();

  constructor(logger?: Logger) {
    this.#logger = logger;
  }

  /** The line in front of a credential. @param now monotonic ms */
  of(limits: Limits, credential: string, now: number): Line {
    const lines = this.#lines.get(limits) ?? new Map<string, Line>();
    this.#lines.set(limits, lines);
    const line = lines.get(credential) ?? new Line(limits, now);
    lines.set(credential, line);
    return line;
  }

  /** A call has come to an end: tells when nothing more goes out, and forgets lines that are idle. */
  over(limits: Limits, credential: string, now: number): void {
    const lines = this.#lines.get(limits);
    for (const [name, line] of lines ?? []) if (line.isIdle(now)) lines?.delete(name);
    if (lines?.get(credential)?.state(now) === 'open')
      this.#logger?.warn({ credential }, 'circuit breaker open: third party failing or throttling');
  }

  /** How many credentials are remembered. */
  get size(): number {
    return [...this.#lines.values()].reduce((sum, lines) => sum + lines.size, 0);
  }
}
