/** Deadline of a review, from the timeout of the API server. */

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

/** Maximum timeout in ms, and the default of a request without one. */
const [maxTimeout, defaultTimeout] = [30_000, 10_000];

/** Parses a duration as Go writes it, such as `1m30s`, in ms; undefined for any other text. */
export function parseGoDuration(text: string): number | undefined {
  const parts = [...text.slice(0, 64).matchAll(/(\d+(?:\.\d+)?)(h|ms|us|µs|ns|m|s)/gy)];
  const matched = parts.map(([part]) => part).join('');
  return matched === '' || matched !== text
    ? undefined
    : parts.reduce((sum, [, count, unit]) => sum + Number(count) * units[unit!]!, 0);
}

/**
 * Returns the deadline of a review in ms: the `timeout` in its URL less a tenth of it, at most half a second, so that the response that names the late
 * handler arrives in time.
 */
export function reviewDeadline(url: string): number {
  const parameter = new URLSearchParams(url.split('?')[1]).get('timeout');
  const timeout = Math.min(maxTimeout, (parameter === null ? undefined : parseGoDuration(parameter)) || defaultTimeout);
  return timeout - Math.min(500, timeout / 10);
}
