/** Validates the options of a cluster, which may come from plain JavaScript. */

import { inspect } from 'node:util';
import { unknownIn } from '../../../sdk/options.ts';
import { checkModes } from '../controllers/engine/modes.ts';
import type { KubeletOptions } from '../controllers/kubelet/kubelet.ts';
import type { NamespaceOptions } from '../controllers/namespaces/namespaces.ts';
import type { ClusterOptions } from './options.ts';

/** Returns what is wrong with the value of an option, as `NAME must …; found …`; undefined where nothing is. */
type ValueCheck = (name: string, value: unknown) => string | undefined;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const shown = (value: unknown): string =>
  typeof value === 'string'
    ? JSON.stringify(value)
    : inspect(value, { depth: 0, breakLength: Number.POSITIVE_INFINITY, maxArrayLength: 3 });

const must =
  (expected: string, isRight: (value: unknown) => boolean): ValueCheck =>
  (name, value) =>
    isRight(value) ? undefined : `${name} must be ${expected}; found ${shown(value)}`;

const isMs = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string');

const flag = must('true or false', (value) => typeof value === 'boolean');
const text = must('a text', (value) => typeof value === 'string');
const ms = must('a number of ms from 0', isMs);
const callback = (shape: string): ValueCheck => must(`a function ${shape}`, (value) => typeof value === 'function');

/** Requires an object with these functions. */
const withFunctions = (what: string, ...functions: readonly string[]): ValueCheck =>
  must(
    `${what}, with ${functions.join(', ')}`,
    (value) => isObject(value) && functions.every((name) => typeof value[name] === 'function'),
  );

/** Requires an object whose members this rule accepts. */
const record =
  (what: string, rule: ValueCheck): ValueCheck =>
  (name, value) =>
    isObject(value)
      ? Object.keys(value)
          .map((key) => rule(`${name}[${JSON.stringify(key)}]`, value[key]))
          .find((mistake) => mistake !== undefined)
      : `${name} must be ${what}; found ${shown(value)}`;

/** Describes the first mistake in options that have these rules; undefined when there is none. */
function mistakeAmong(
  options: Readonly<Record<string, unknown>>,
  rules: Readonly<Record<string, ValueCheck>>,
  within = '',
): string | undefined {
  const unknown = unknownIn(options, Object.keys(rules), within);
  if (unknown !== undefined) return unknown;
  for (const [name, rule] of Object.entries(rules)) {
    const value = options[name];
    const mistake = value === undefined ? undefined : rule(`${within}${name}`, value);
    if (mistake !== undefined) return mistake;
  }
  return undefined;
}

/** Requires a boolean, or an object of options. */
const flagOr =
  (rules: Readonly<Record<string, ValueCheck>>): ValueCheck =>
  (name, value) => {
    if (typeof value === 'boolean') return undefined;
    return isObject(value)
      ? mistakeAmong(value, rules, `${name}.`)
      : `${name} must be true, false or an object { ${Object.keys(rules).join(', ')} }; found ${shown(value)}`;
  };

const kubeletRules: Readonly<Record<keyof KubeletOptions, ValueCheck>> = {
  pendingDelay: ms,
  readyDelay: ms,
  stopDelay: ms,
  taskDelay: must('a number of ms from 0, or false', (value) => value === false || isMs(value)),
  nodeName: text,
  nodes: must('an array of names', isTexts),
  events: flag,
  logs: callback('(pod, container) => text'),
};

const namespaceRules: Readonly<Record<keyof NamespaceOptions, ValueCheck>> = { delay: ms };

const webhooks = record('an object of functions by URL', callback('(review) => answer'));

const rules: Readonly<Record<keyof ClusterOptions, ValueCheck>> = {
  clock: withFunctions('a clock', 'now', 'monotonic', 'sleep', 'after'),
  random: callback('() => number from 0 to 1'),
  seed: () => undefined, // checked where it is used
  controllers: () => undefined, // checked with their names
  kubelet: flagOr(kubeletRules),
  garbageCollector: flag,
  namespaceController: flagOr(namespaceRules),
  historyLimit: must('a whole number from 0', (value) => Number.isSafeInteger(value) && Number(value) >= 0),
  bookmarkInterval: must('a number of ms above 0', (value) => isMs(value) && value !== 0),
  rbac: flag,
  adminToken: (name, value) => (typeof value === 'string' ? undefined : `${name} must be a text; found no text`),
  tokens: record(
    'an object of users by token',
    // The token is not shown.
    (_name, value) =>
      isObject(value) && typeof value.name === 'string'
        ? undefined
        : `each of tokens must be a user { name, groups }; found ${shown(value)}`,
  ),
  webhooks,
  conversionWebhooks: webhooks,
  version: must('a text such as "1.34"', (value) => typeof value === 'string'),
  serviceRange: must('a text such as "10.96.0.0/16"', (value) => typeof value === 'string'),
  issuer: text,
};

/** Validates options. @throws TypeError naming the option, what was expected and found, and of an unknown one the nearest */
export function checkClusterOptions(options: ClusterOptions): void {
  const mistake = isObject(options)
    ? mistakeAmong(options, rules)
    : `options must be an object; found ${shown(options)}`;
  if (mistake !== undefined) throw new TypeError(`createCluster: ${mistake}`);
  if (options.controllers !== undefined) checkModes(options.controllers);
}
