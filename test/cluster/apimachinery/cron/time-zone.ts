/** Time zones by tz database name, with Go's rules for names. */

/** Zone names of three letters in the tz database; JavaScript accepts others, which Go does not. */
const shortNames: ReadonlySet<string> = new Set([
  'CET',
  'EET',
  'EST',
  'GMT',
  'HST',
  'MET',
  'MST',
  'PRC',
  'ROC',
  'ROK',
  'UCT',
  'UTC',
  'WET',
]);

/** Returns JavaScript's canonical name of a zone; undefined for an unknown one. */
function canonicalOf(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** Reports whether a name has the spelling of the tz database; JavaScript ignores case. */
function isWrittenRight(name: string, canonical: string): boolean {
  if (!/^[A-Z]/.test(name)) return false;
  if (name === canonical) return true;
  if (name.toLowerCase() === canonical.toLowerCase() || name.startsWith('SystemV/')) return false;
  return name.split('/').every((part) => /^[A-Z]/.test(part)) && (name.length !== 3 || shortNames.has(name));
}

/** Reports whether a name is in the tz database, such as `Europe/Berlin`; case-sensitive. */
export function isTimeZone(name: string): boolean {
  const canonical = canonicalOf(name);
  return canonical !== undefined && isWrittenRight(name, canonical);
}

/** Returns Go's error for an unknown zone; undefined for a known one. The empty name is UTC. */
export function timeZoneProblem(name: string): string | undefined {
  if (name === '' || name === 'Local' || isTimeZone(name)) return undefined;
  const isPath = name.startsWith('/') || name.startsWith('\\') || name.split(/[/\\]/).includes('..');
  return isPath ? 'time: invalid location name' : `unknown time zone ${name}`;
}

/** Returns a function that computes a zone's offset from UTC at a moment, in ms. */
export function offsetsOf(timeZone: string): (utc: number) => number {
  if (timeZone === 'UTC') return () => 0;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (utc) => {
    const parts = Object.fromEntries(format.formatToParts(utc).map(({ type, value }) => [type, Number(value)]));
    const { year, month, day, hour, minute, second } = parts as Record<string, number>;
    return Date.UTC(year!, month! - 1, day, hour, minute, second) - Math.floor(utc / 1000) * 1000;
  };
}
