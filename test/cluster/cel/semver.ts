/** Parses and compares semantic versions. */

/** Semantic version. */
export interface Version {
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly pre: readonly string[];
  readonly text: string;
}

/** Error for an invalid version. */
export class VersionError extends Error {}

const fail = (why: string): never => {
  throw new VersionError(why);
};

const quoted = JSON.stringify;
const isNumber = (text: string): boolean => /^\d*$/.test(text);

function numberIn(name: string, text: string): bigint {
  if (!isNumber(text)) fail(`Invalid character(s) found in ${name.toLowerCase()} number ${quoted(text)}`);
  if (/^0\d/.test(text)) fail(`${name} number must not contain leading zeroes ${quoted(text)}`);
  return uintIn(text);
}

/** Parses the digits of a number as Go's `strconv.ParseUint` does. */
function uintIn(text: string): bigint {
  if (text === '') fail('strconv.ParseUint: parsing "": invalid syntax');
  const number = BigInt(text);
  return number === BigInt.asUintN(64, number)
    ? number
    : fail(`strconv.ParseUint: parsing ${quoted(text)}: value out of range`);
}

function checkPre(part: string): void {
  if (part === '') fail('Prerelease is empty');
  if (/^0\d+$/.test(part)) fail(`Numeric PreRelease version must not contain leading zeroes ${quoted(part)}`);
  if (!/^[\dA-Za-z-]+$/.test(part)) fail(`Invalid character(s) found in prerelease ${quoted(part)}`);
  if (isNumber(part)) uintIn(part);
}

function checkBuild(part: string): void {
  if (part === '') fail('Build meta data is empty');
  if (!/^[\dA-Za-z-]+$/.test(part)) fail(`Invalid character(s) found in build meta data ${quoted(part)}`);
}

/** Parses a strict semantic version. Throws a VersionError. */
export function versionIn(text: string): Version {
  if (text === '') fail('Version string empty');
  const [, major, minor, rest] = /^([^.]*)\.([^.]*)\.(.*)$/s.exec(text) ?? [];
  if (major === undefined) fail('No Major.Minor.Patch elements found');
  const first = numberIn('Major', major!);
  const second = numberIn('Minor', minor!);
  const [before = '', build] = rest!.split(/\+(.*)/s);
  const [patch = '', pre] = before.split(/-(.*)/s);
  const third = numberIn('Patch', patch);
  const parts = pre?.split('.') ?? [];
  for (const part of parts) checkPre(part);
  for (const part of build?.split('.') ?? []) checkBuild(part);
  return { numbers: [first, second, third], pre: parts, text };
}

/** Parses a version with an optional `v`, leading zeroes or missing numbers. Throws a VersionError. */
export function tolerantVersionIn(text: string): Version {
  const [first = '', second, ...rest] = text.replace(/^v/, '').split('.');
  const given = [first, ...(second === undefined ? [] : [second]), ...(rest.length > 0 ? [rest.join('.')] : [])];
  const parts = given.map((part) =>
    part.length > 1 ? part.replace(/^0+(?=\d)/, '').replace(/^0*(?=\D|$)/, '0') : part,
  );
  const last = parts.at(-1)!;
  if (parts.length < 3 && /[+-]/.test(last)) fail('short version cannot contain PreRelease/Build meta data');
  while (parts.length < 3) parts.push('0');
  return versionIn(parts.join('.'));
}

const order = <T>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

function comparedPre(a: string, b: string): number {
  const [left, right] = [isNumber(a), isNumber(b)];
  if (left && right) return order(BigInt(a), BigInt(b));
  return left === right ? order(a, b) : left ? -1 : 1;
}

/** Compares versions by precedence: -1, 0 or 1; pre-releases come before releases, build metadata is ignored. */
export function comparedVersions(a: Version, b: Version): number {
  for (const [index, number] of a.numbers.entries()) {
    if (number !== b.numbers[index]) return order(number, b.numbers[index]!);
  }
  if (a.pre.length === 0 || b.pre.length === 0) return order(b.pre.length > 0 ? 1 : 0, a.pre.length > 0 ? 1 : 0);
  for (const [index, part] of a.pre.entries()) {
    const other = b.pre[index];
    if (other === undefined) return 1;
    const found = comparedPre(part, other);
    if (found !== 0) return found;
  }
  return order(a.pre.length, b.pre.length);
}
