/** Validates the definition of an integration. */

import { isJsonObject } from '../../api/json.ts';
import { refuseUnknown } from '../../options.ts';
import { describeValue } from '../describe-value.ts';
import { mistakeInLimits } from '../limits/rate-limits.ts';
import { inheritedAmong, inheritedMistake, mistakeInText } from '../value-mistakes.ts';
import { endpointOf } from './egress-endpoint.ts';
import type { Integration } from './integration.ts';
import { isPolicy, policies } from './management-policy.ts';
import { mistakeInDeclarations } from './outputs.ts';
import { mistakeInPermissions } from './permissions.ts';
import { mistakeInSettingsSchema } from './settings.ts';

const label = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const known = new Set([
  'name',
  'condition',
  'after',
  'settings',
  'outputs',
  'references',
  'reads',
  'uniqueNames',
  'validate',
  'owns',
  'permissions',
  'endpoints',
  'policy',
  'secrets',
  'limits',
  'handles',
  'connect',
]);

const functions = ['handles', 'connect', 'references', 'reads', 'uniqueNames', 'validate'];

const isType = (type: unknown): boolean => mistakeInText(type, 316) === undefined;

/** Reports whether a name is that of a member of every object, such as `constructor`, which a look-up in a plain object would find. */
const isInherited = (name: unknown): boolean => typeof name === 'string' && name in Object.prototype;

const notInherited = 'not be the name of a member of every object, such as constructor or toString: choose another';

const isKind = (kind: unknown): boolean =>
  isJsonObject(kind) &&
  ['group', 'version', 'kind', 'plural'].every((member) => typeof kind[member] === 'string') &&
  typeof kind.namespaced === 'boolean';

const must = (isRight: boolean, expected: string): string | undefined => (isRight ? undefined : `must ${expected}`);

/** Validates one field: returns its name, the mistake if there is one, and the value to show in the message. */
type FieldRule = (integration: Integration) => readonly [field: string, mistake: string | undefined, found?: unknown];

/** Returns the rule for an optional function; `shape` is its signature, for the message. */
const optionalFunction =
  (field: 'references' | 'reads' | 'uniqueNames' | 'validate', shape: string): FieldRule =>
  ({ [field]: found }) => [
    field,
    must(found === undefined || typeof found === 'function', `be a function ${shape}`),
    found,
  ];

/** Rules of the fields. Each may rely on those before it. */
const rules: readonly FieldRule[] = [
  ({ name }) => [
    'name',
    must(typeof name === 'string' && label.test(name), 'be a DNS label (a-z, 0-9, -; 63 characters at most)'),
  ],
  ({ name }) => ['name', must(!isInherited(name), notInherited), name],
  ({ condition }) => ['condition', must(!isInherited(condition), notInherited), condition],
  ({ condition }) => [
    'condition',
    must(isType(condition) && condition !== 'Ready', 'be a condition type other than Ready, which is the sequencer’s'),
    condition,
  ],
  ({ after = [] }) => [
    'after',
    must(Array.isArray(after) && after.every(isType), 'be an array of condition types'),
    after,
  ],
  ({ after = [], condition }) => ['after', must(!after.includes(condition), 'not hold its own condition')],
  ({ settings }) => ['settings', settings && mistakeInSettingsSchema(settings)],
  ({ outputs = {} }) => ['outputs', mistakeInDeclarations(outputs)],
  optionalFunction('references', '(workspace) => outputs'),
  optionalFunction('reads', '(workspace) => JSON'),
  optionalFunction('uniqueNames', '(workspace) => texts'),
  optionalFunction('validate', '(workspace) => { field, message }[]'),
  ({ owns = [] }) => ['owns', must(Array.isArray(owns) && owns.every(isKind), 'be an array of kinds'), owns],
  ({ policy = 'manage' }) => [
    'policy',
    must(isPolicy(policy), `be one of ${policies.join(', ')}; found ${JSON.stringify(policy)}`),
  ],
  ({ limits }) => ['limits', must(limits === undefined || isJsonObject(limits), 'be an object'), limits],
  ({ secrets = [] }) => [
    'secrets',
    must(Array.isArray(secrets) && secrets.every((secret) => typeof secret === 'string'), 'be a list of texts'),
  ],
  ({ permissions }) => ['permissions', permissions && mistakeInPermissions(permissions)],
  ({ endpoints = [] }) => [
    'endpoints',
    must(
      Array.isArray(endpoints) && endpoints.every((one) => endpointOf(one) !== undefined),
      'be URLs with a host and a port, such as https://api.example.com or tcp://db.example.com:5432',
    ),
    endpoints,
  ],
  ({ limits }) => ['limits:', limits && mistakeInLimits(limits)],
  ({ handles }) => ['handles', must(typeof handles === 'function', 'be a function (workspace) => boolean'), handles],
  (integration) => {
    const inherited = inheritedAmong(integration, functions);
    return [inherited ?? '', inherited && inheritedMistake];
  },
  ({ connect }) => [
    'connect',
    must(typeof connect === 'function', 'be a function ({ workspace, controller }) => provider'),
    connect,
  ],
];

/**
 * Validates an integration and returns it.
 *
 * @throws TypeError naming the field, the expected and the actual value
 * @example
 * ```ts run
 * import { defineIntegration } from 'workspace-sequencer/sdk';
 *
 * export const greeting = defineIntegration({
 *   name: 'greeting',
 *   condition: 'Greeted',
 *   handles: ({ spec }) => spec.integrations?.greeting !== undefined,
 *   connect: ({ controller }) => ({
 *     reconcile: () => controller.updateCondition('Completed', 'said hello'),
 *     terminate: () => controller.updateCondition('Terminated', 'said goodbye'),
 *   }),
 * });
 * ```
 */
export function defineIntegration<Settings>(integration: Integration<Settings>): Integration {
  if (!isJsonObject(integration))
    throw new TypeError(`an integration must be an object; found ${describeValue(integration)}`);
  const where = `integration ${describeValue(integration.name ?? '')}`;
  refuseUnknown(where, integration, known);
  for (const rule of rules) {
    const [field, mistake, found] = rule(integration);
    if (mistake === undefined) continue;
    throw new TypeError(`${where}: ${field} ${mistake}${found === undefined ? '' : `; found ${describeValue(found)}`}`);
  }
  return integration;
}
