/** Names of three capitals that the tz database has; JavaScript knows more of them, which are no zones to Go. */
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

/** The name that JavaScript gives a zone; undefined when it knows none. */
function canonicalOf(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** Whether a name is written as the tz database has it; JavaScript does not mind capitals. */
function isWrittenRight(name: string, canonical: string): boolean {
  if (!/^[A-Z]/.test(name)) return false;
  if (name === canonical) return true;
  if (name.toLowerCase() === canonical.toLowerCase() || name.startsWith('SystemV/')) return false;
  return name.split('/').every((part) => /^[A-Z]/.test(part)) && (name.length !== 3 || shortNames.has(name));
}

/** Whether a name is one of the tz database's, such as `Europe/Berlin`; capitals count. */
export function isTimeZone(name: string): boolean {
  const canonical = canonicalOf(name);
  return canonical !== undefined && isWrittenRight(name, canonical);
}

/** What Go says when it finds no zone of a name; undefined when it finds one. The empty name is UTC. */
export function timeZoneProblem(name: string): string | undefined {
  if (name === '' || name === 'Local' || isTimeZone(name)) return undefined;
  const isPath = name.startsWith('/') || name.startsWith('\\') || name.split(/[/\\]/).includes('..');
  return isPath ? 'time: invalid location name' : `unknown time zone ${name}`;
}

/** How far a time zone is ahead of UTC at a moment, in ms. */
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
