/** Checks the options of a sequencer, which may come from plain JavaScript. */

import { describeValue } from '../../sdk/host/index.ts';
import { type GuardTimes, isJsonObject, refuseUnknown, unknownIn } from '../../sdk/index.ts';
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

const knownTimes: readonly (keyof GuardTimes)[] = ['lease', 'margin', 'maxRequest', 'attempt', 'call', 'skew'];

/** Lease in ms below which seconds were meant. */
const leastLease = 100;

/** Returns what a value must be; undefined where it is. */
type OptionRule = (value: unknown) => string | undefined;

const text: OptionRule = (value) => (typeof value === 'string' ? undefined : 'be a text');

const calls =
  (shape: string): OptionRule =>
  (value) =>
    typeof value === 'function' ? undefined : `be a function ${shape}`;

/** Requires an object with these functions. */
const having =
  (what: string, ...functions: readonly string[]): OptionRule =>
  (value) =>
    isJsonObject(value) && functions.every((name) => typeof value[name] === 'function')
      ? undefined
      : `be ${what}, with ${functions.join(', ')}`;

/** Rules of the options that the sequencer itself uses; its controller has those of `workers`, `tenantBy` and `drain`. */
const rules: Readonly<Partial<Record<keyof SequencerOptions, OptionRule>>> = {
  client: having('a client of createClient', 'get', 'create', 'watch'),
  integrations: (value) => (Array.isArray(value) ? undefined : 'be an array of integrations'),
  namespace: text,
  className: text,
  selector: (value) => (typeof value === 'string' ? undefined : "be a label selector as text, such as 'team=a'"),
  shard: (value) =>
    isJsonObject(value) && typeof value.ring === 'string' && typeof value.name === 'string'
      ? undefined
      : 'be an object { ring, name } of two texts',
  times: (value) => (isJsonObject(value) ? undefined : 'be an object of times in ms, such as { lease: 30_000 }'),
  retry: calls('(error, attempt) => ms, such as exponentialBackoff() returns'),
  orphan: (value) =>
    Array.isArray(value) && value.every((name) => typeof name === 'string')
      ? undefined
      : 'be an array of names of integrations',
  holder: (value) => (typeof value === 'string' && value !== '' ? undefined : 'be a text that is not empty'),
  events: having('a sink of events', 'event'),
  observer: (value) => (isJsonObject(value) ? undefined : 'be an object of functions'),
  operatorNamespace: text,
  seal: (value) => (isJsonObject(value) ? undefined : 'be a seal, such as createSeal returns'),
  secrets: having('a SecretRegistry', 'add'),
  clock: having('a clock', 'now', 'monotonic', 'sleep', 'after'),
  random: calls('() => number from 0 to 1'),
  logger: having('a logger of pino', 'child', 'info'),
};

/** Describes the first option of another type; undefined when there is none. */
function mistakeIn(options: SequencerOptions): string | undefined {
  for (const [name, rule] of Object.entries(rules)) {
    const value = options[name as keyof SequencerOptions];
    const isRequired = name === 'client' || name === 'integrations';
    if (value === undefined && !isRequired) continue;
    const expected = rule(value);
    if (expected !== undefined) return `${name} must ${expected}; found ${describeValue(value)}`;
  }
  return undefined;
}

/** Describes the first mistake in the times of guards; undefined when there is none. */
function mistakeInTimes(times: Partial<GuardTimes>): string | undefined {
  const unknown = unknownIn(times, knownTimes, 'times.');
  if (unknown !== undefined) return unknown;
  const wrong = knownTimes.find((name) => times[name] !== undefined && !(typeof times[name] === 'number'));
  if (wrong !== undefined) return `times.${wrong} must be a number of ms; found ${describeValue(times[wrong])}`;
  const { lease } = times;
  return lease !== undefined && lease > 0 && lease < leastLease
    ? `times.lease must be at least ${leastLease} ms; found ${lease}: it is in ms, not in seconds`
    : undefined;
}

/** Validates the options. @throws TypeError naming the option, what was expected and what was found */
export function checkSequencerOptions(options: SequencerOptions): void {
  if (!isJsonObject(options))
    throw new TypeError(
      `createSequencer: options must be an object { client, integrations }; found ${describeValue(options)}`,
    );
  refuseUnknown('createSequencer', options, known);
  const mistake = mistakeIn(options) ?? mistakeInTimes(options.times ?? {});
  if (mistake !== undefined) throw new TypeError(`createSequencer: ${mistake}`);
}
