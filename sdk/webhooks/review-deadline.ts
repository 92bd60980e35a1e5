/** Time that an API server waits for the answer to a review. */

/** Units of Go's durations, in ms. */
const units: Readonly<Record<string, number>> = {
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
  us: 0.001,
  µs: 0.001,
  ns: 1e-6,
};

/** Longest time, and the one of a request that names none, in ms. */
const [longest, usual] = [30_000, 10_000];

/** Parses a duration as Go writes it, such as `1m30s`, in ms; undefined for any other text. */
export function parseGoDuration(text: string): number | undefined {
  const parts = [...text.slice(0, 64).matchAll(/(\d+(?:\.\d+)?)(h|ms|us|µs|ns|m|s)/gy)];
  const read = parts.map(([part]) => part).join('');
  return read === '' || read !== text
    ? undefined
    : parts.reduce((sum, [, count, unit]) => sum + Number(count) * units[unit!]!, 0);
}

/**
 * Returns the ms within which a review must be answered, by the `timeout` of its URL: a tenth less than the API server waits, half a second at most, so
 * that the answer says which handler was late.
 */
export function reviewDeadline(url: string): number {
  const given = new URLSearchParams(url.split('?')[1]).get('timeout');
  const waits = Math.min(longest, (given === null ? undefined : parseGoDuration(given)) || usual);
  return waits - Math.min(500, waits / 10);
}
