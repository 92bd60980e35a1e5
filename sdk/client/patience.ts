import type { Headers } from './exchange.ts';

/** What {@link patienceOf} decides from. */
export interface Refusal {
  readonly status: number;
  readonly headers: Headers;
  /** How often the same request has been refused before. */
  readonly attempt: number;
  /** Wall clock, for a Retry-After that is a date. */
  readonly now: number;
  readonly random: () => number;
}

const mostAttempts = 5;
/** ms, when a 429 names no time. */
const usualDelay = 1_000;
/** A quarter on top at most, so that clients refused together do not come back together. */
const jitter = 0.25;

/** ms the server asks to wait for, of `Retry-After: seconds` or a date. */
export function retryAfterOf(headers: Headers, now: number): number | undefined {
  const { 'retry-after': value } = headers;
  if (typeof value !== 'string') return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** ms to wait before the same request is sent again; undefined when it must not be: only a 429, or a 503 with Retry-After, says that nothing was carried out. */
export function patienceOf({ status, headers, attempt, now, random }: Refusal): number | undefined {
  if (attempt >= mostAttempts) return undefined;
  const asked = retryAfterOf(headers, now);
  if (status !== 429 && !(status === 503 && asked !== undefined)) return undefined;
  return (asked ?? usualDelay) * (1 + jitter * random());
}
