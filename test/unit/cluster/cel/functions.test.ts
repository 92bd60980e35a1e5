import test from 'ava';
import { createEnvironment, frameOf } from '../../../cluster/cel/environment.ts';
import { CelError, type Value } from '../../../cluster/cel/values/values.ts';

const environment = createEnvironment([]);

/** Returns the value of an expression, or its error. */
function resultOf(source: string): Value | string {
  const program = environment.compile(source);
  if (!('run' in program)) throw new Error(JSON.stringify(program));
  const value = program.run(frameOf(() => undefined));
  return value instanceof CelError ? value.message : value;
}

const max = '18446744073709551615';
const above = '18446744073709551616';
const hourIn = (zone: string) => `timestamp("2026-01-01T12:00:00Z").getHours("${zone}")`;

for (const [source, expected] of [
  ['"\\u0085\\u00a0 a\\u3000".trim() == "a"', true],
  ['"\\ufeffa\\ufeff".trim().size()', 3n],
  ['"\\u200b a".trim().size()', 3n],
  ['" \\t ".trim()', ''],
  [`isSemver("${max}.0.0-${max}")`, true],
  [`semver("${max}.0.0").major()`, -1n],
  [`semver("0.9223372036854775808.0").minor()`, -9223372036854775808n],
  [`isSemver("${above}.0.0") || isSemver("1.${above}.0") || isSemver("1.0.${above}")`, false],
  [`isSemver("1.0.0-${above}") || isSemver("1.0.0-a.${above}") || isSemver("v${above}", true)`, false],
  [`isSemver("1.0.0-a${above}+${above}")`, true],
  [`semver("1.${above}.0").minor()`, `strconv.ParseUint: parsing "${above}": value out of range`],
  [hourIn('America/New_York'), 7n],
  [hourIn('US/Central'), 6n],
  [hourIn('-02:00'), 10n],
  [hourIn(''), 12n],
  [hourIn('Local'), 12n],
  [hourIn('america/new_york'), 'unknown time zone america/new_york'],
  [hourIn('utc'), 'unknown time zone utc'],
  [hourIn('PST'), 'unknown time zone PST'],
  [hourIn('+02'), 'unknown time zone +02'],
  [hourIn('../UTC'), 'time: invalid location name'],
] as const)
  test(`${source} is as in cel-go`, (t) => t.deepEqual(resultOf(source), expected));
