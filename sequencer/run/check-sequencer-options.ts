/** Validates the options of a sequencer, which may come from plain JavaScript. */

import { describeValue } from '../../sdk/host/index.ts';
import { type GuardTimes, isJsonObject, refuseUnknown, unknownIn } from '../../sdk/index.ts';
import { unreadableRequirement } from '../admission/label-selector.ts';
import { mistakeInTypes } from '../tenants/tenant-integration.ts';
import { mistakeInIntegrations, mistakeInOrphan } from './check-integrations.ts';
import type { SequencerOptions } from './sequencer.ts';

const known: ReadonlySet<string> = new Set<keyof SequencerOptions>([
  'client',
  'integrations',
  'tenantIntegrations',
  'namespace',
  'className',
  'selector',
  'shard',
  'workers',
  'tenantBy',
  'times',
  'retry',
  'drain',
  'orphan',
  'holder',
  'events',
  'observer',
  'operatorNamespace',
  'seal',
  'secrets',
  'clock',
  'random',
  'logger',
]);

/** Duration in ms below which seconds were meant. */
const minDuration = 100;

/** Returns the expectation that a value does not meet; undefined for a valid one. */
type OptionRule = (value: unknown) => string | undefined;

const text: OptionRule = (value) => (typeof value === 'string' ? undefined : 'be a text');

const functionOf =
  (shape: string): OptionRule =>
  (value) =>
    typeof value === 'function' ? undefined : `be a function ${shape}`;

/** Requires an object with these functions. */
const objectWith =
  (what: string, ...functions: readonly string[]): OptionRule =>
  (value) =>
    isJsonObject(value) && functions.every((name) => typeof value[name] === 'function')
      ? undefined
      : `be ${what}, with ${functions.join(', ')}`;

/** Requires a number in a range. */
const numberIn =
  (what: string, isValid: (value: number) => boolean): OptionRule =>
  (value) =>
    typeof value === 'number' && Number.isFinite(value) && isValid(value) ? undefined : `be ${what}`;

const ms = (range: string, isRight: (value: number) => boolean): OptionRule =>
  numberIn(`a number of ms ${range}`, isRight);

/** Rules of the options. */
const rules: Readonly<Partial<Record<keyof SequencerOptions, OptionRule>>> = {
  client: objectWith('a client of createClient', 'get', 'create', 'watch'),
  integrations: (value) => (Array.isArray(value) ? undefined : 'be an array of integrations'),
  tenantIntegrations: (value) => (isJsonObject(value) ? undefined : 'be an object of integration types by name'),
  namespace: text,
  className: text,
  selector: (value) =>
    typeof value === 'string' && unreadableRequirement(value) === undefined
      ? undefined
      : "be a label selector as text, such as 'team=a'",
  shard: (value) =>
    isJsonObject(value) && typeof value.ring === 'string' && typeof value.name === 'string'
      ? undefined
      : 'be an object { ring, name } of two texts',
  workers: numberIn('a whole number from 1', (value) => Number.isInteger(value) && value >= 1),
  tenantBy: (value) =>
    value === 'namespace' || typeof value === 'function'
      ? undefined
      : "be 'namespace', or a function (workspace) => tenant",
  times: (value) => (isJsonObject(value) ? undefined : 'be an object of times in ms, such as { lease: 30_000 }'),
  retry: functionOf('(error, attempt) => ms, such as exponentialBackoff() returns'),
  drain: ms('from 0', (value) => value >= minDuration || (value >= 0 && value <= 1)),
  orphan: (value) =>
    Array.isArray(value) && value.every((name) => typeof name === 'string')
      ? undefined
      : 'be an array of names of integrations',
  holder: (value) => (typeof value === 'string' && value !== '' ? undefined : 'be a text that is not empty'),
  events: objectWith('a sink of events', 'event'),
  observer: (value) => (isJsonObject(value) ? undefined : 'be an object of functions'),
  operatorNamespace: text,
  seal: (value) => (isJsonObject(value) ? undefined : 'be a seal, such as createSeal returns'),
  secrets: objectWith('a SecretRegistry', 'add'),
  clock: objectWith('a clock', 'now', 'monotonic', 'sleep', 'after'),
  random: functionOf('() => number from 0 to 1'),
  logger: objectWith('a logger of pino', 'child', 'info'),
};

/** Longest lease in ms that the host accepts. */
const maxLease = 3_600_000;

/** Returns the least margin in ms: a short lease has a short one. */
const minMargin = (lease: number): number => Math.min(minDuration, lease / 5);

/** Returns the rules of the times of guards, in the order in which they are checked. */
const timeRules = ({ lease = 30_000 }: Partial<GuardTimes>): Readonly<Record<keyof GuardTimes, OptionRule>> => ({
  lease: ms(`from ${minDuration} to ${maxLease}`, (value) => value >= minDuration && value <= maxLease),
  margin: ms(
    `from ${minMargin(lease)} and below the lease (${lease} ms)`,
    (value) => value >= minMargin(lease) && value < lease,
  ),
  maxRequest: ms(`that is 0, or from ${minDuration}`, (value) => value === 0 || value >= minDuration),
  attempt: ms(`from ${minDuration}`, (value) => value >= minDuration),
  call: ms(`from ${minDuration}`, (value) => value >= minDuration),
  skew: ms(`that is 0, or from ${minDuration}`, (value) => value === 0 || value >= minDuration),
});

/** Describes a value that its rule refuses; undefined when it does not. */
function mistakeBy(name: string, rule: OptionRule, value: unknown): string | undefined {
  const expected = rule(value);
  if (expected === undefined) return undefined;
  const isInSeconds = expected.includes(' ms ') && typeof value === 'number' && value > 0 && value < minDuration;
  const advice = isInSeconds ? ': it is in ms, not in seconds' : '';
  return `${name} must ${expected}; found ${describeValue(value)}${advice}`;
}

/** Describes the first option of a wrong type or range; undefined without one. */
function mistakeIn(options: SequencerOptions): string | undefined {
  for (const [name, rule] of Object.entries(rules)) {
    const value = options[name as keyof SequencerOptions];
    const isRequired = name === 'client' || name === 'integrations';
    const mistake = value === undefined && !isRequired ? undefined : mistakeBy(name, rule, value);
    if (mistake !== undefined) return mistake;
  }
  return undefined;
}

/** Describes the first mistake in the times of guards; undefined without one. */
function mistakeInTimes(times: Partial<GuardTimes>): string | undefined {
  const known = timeRules(times);
  const unknown = unknownIn(times, Object.keys(known), 'times.');
  if (unknown !== undefined) return unknown;
  for (const [name, rule] of Object.entries(known)) {
    const value = times[name as keyof GuardTimes];
    const mistake = value === undefined ? undefined : mistakeBy(`times.${name}`, rule, value);
    if (mistake !== undefined) return mistake;
  }
  return undefined;
}

/** Validates the options. @throws TypeError naming the option, what was expected and what was found */
export function checkSequencerOptions(options: SequencerOptions): void {
  if (!isJsonObject(options))
    throw new TypeError(
      `createSequencer: options must be an object { client, integrations }; found ${describeValue(options)}`,
    );
  refuseUnknown('createSequencer', options, known);
  const mistake =
    mistakeIn(options) ??
    mistakeInTimes(options.times ?? {}) ??
    mistakeInIntegrations(options.integrations) ??
    mistakeInTypes(options.tenantIntegrations ?? {}) ??
    mistakeInOrphan(options.orphan ?? [], options.integrations);
  if (mistake !== undefined) throw new TypeError(`createSequencer: ${mistake}`);
}
