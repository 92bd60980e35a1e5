const posix: Record<string, string> = {
  alnum: 'A-Za-z0-9',
  alpha: 'A-Za-z',
  digit: '0-9',
  lower: 'a-z',
  upper: 'A-Z',
  space: '\\s',
  punct: '!-\\/:-@\\[-`{-~',
  word: '\\w',
  xdigit: '0-9A-Fa-f',
};

const piece = /\\.|\[(?:\\.|[^\]\\])*\]|\(\?([ims]+)\)|[()]|[^\\[()]+|[\s\S]/g;

/** Flags that begin inside a pattern as the groups that JavaScript has for them: up to the end of the group they stand in. */
function withFlagGroups(pattern: string): string {
  const open = [0];
  let result = '';
  for (const [text, letters] of pattern.matchAll(piece)) {
    if (text === '(') open.push(0);
    if (text === ')') result += ')'.repeat(open.pop() ?? 0);
    if (letters !== undefined) open[open.length - 1]! += 1;
    result += letters === undefined ? text : `(?${letters}:`;
  }
  return result + ')'.repeat(open[0] ?? 0);
}

/** What JavaScript has and Go has not: looking around, and what was found before. */
function foreignTo(pattern: string): string | undefined {
  for (const [, around, back] of pattern.matchAll(/\\[^1-9]|\[(?:\\.|[^\]\\])*\]|(\(\?(?:<?[=!]))|(\\[1-9])|[\s\S]/g)) {
    if (around !== undefined) return `invalid or unsupported Perl syntax: \`${around.replace(/<[=!]$/, '<')}\``;
    if (back !== undefined) return `invalid escape sequence: \`${back}\``;
  }
  return undefined;
}

/** A regular expression in Go's syntax (RE2) as JavaScript's; undefined when it is none. */
export function goRegExp(pattern: string): RegExp | undefined {
  if (foreignTo(pattern) !== undefined) return undefined;
  const [, letters = ''] = /^\(\?([ims]+)\)/.exec(pattern) ?? [];
  const source = withFlagGroups(pattern.slice(letters === '' ? 0 : letters.length + 3))
    .replaceAll(/\(\?P</g, '(?<')
    .replaceAll(/\\z/g, '$')
    .replaceAll(/\\A/g, '^')
    .replaceAll(/\\p([A-Z])(?![a-z{])/g, '\\p{$1}')
    .replaceAll(/\[:(\w+):\]/g, (whole, name: string) => posix[name] ?? whole);
  for (const mode of ['u', '']) {
    try {
      return new RegExp(source, letters + mode);
    } catch {
      // JavaScript's unicode mode refuses some escapes that Go takes.
    }
  }
  return undefined;
}

const opened = /\\.|\[(?:\\.|[^\]\\])*\]|(\[[\s\S]*)|([()])|[\s\S]/g;

/** What Go says of a regular expression that is none. */
export function regExpFault(pattern: string): string {
  const foreign = foreignTo(pattern);
  if (foreign !== undefined) return `error parsing regexp: ${foreign}`;
  const refuse = (why: string, at: string) => `error parsing regexp: ${why}: \`${at}\``;
  let depth = 0;
  for (const [, set, group] of pattern.matchAll(opened)) {
    if (set !== undefined) return refuse('missing closing ]', set);
    if (group === undefined) continue;
    depth += group === '(' ? 1 : -1;
    if (depth < 0) return refuse('unexpected )', pattern);
  }
  if (depth > 0) return refuse('missing closing )', pattern);
  const [, repetition] = /(?:^|[(|])([*+?])/.exec(pattern) ?? [];
  if (repetition !== undefined) return refuse('missing argument to repetition operator', repetition);
  return pattern.endsWith('\\') ? refuse('trailing backslash at end of expression', '') : 'error parsing regexp';
}
