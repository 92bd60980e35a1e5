import { refuseUnknown } from '../../options.ts';
import { describeValue, isRecord, mistakeInText } from '../contract.ts';
import { mistakeInLimits } from '../limits/rate-limits.ts';
import type { Integration } from './integration.ts';
import { mistakeInDeclarations } from './outputs.ts';
import { mistakeInPermissions } from './permissions.ts';
import { isPolicy, policies } from './policy.ts';

const label = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const known = new Set([
  'name',
  'condition',
  'after',
  'outputs',
  'references',
  'reads',
  'owns',
  'permissions',
  'policy',
  'secrets',
  'limits',
  'handles',
  'connect',
]);

const isType = (type: unknown): boolean => mistakeInText(type, 316) === undefined;

const isKind = (kind: unknown): boolean =>
  isRecord(kind) &&
  ['group', 'version', 'kind', 'plural'].every((member) => typeof kind[member] === 'string') &&
  typeof kind.namespaced === 'boolean';

/** Validates an integration and returns it. @throws TypeError naming the field, the expected and the actual value */
export function defineIntegration(integration: Integration): Integration {
  if (!isRecord(integration))
    throw new TypeError(`an integration must be an object; found ${describeValue(integration)}`);
  const {
    name,
    condition,
    after = [],
    outputs = {},
    references,
    reads,
    owns = [],
    permissions,
    policy = 'manage',
    secrets = [],
    limits,
    handles,
    connect,
  } = integration;
  const where = `integration ${describeValue(name ?? '')}`;
  refuseUnknown(where, integration, known);
  const refuse = (field: string, expected: string, value?: unknown): never => {
    throw new TypeError(
      `${where}: ${field} ${expected}${value === undefined ? '' : `; found ${describeValue(value)}`}`,
    );
  };
  if (typeof name !== 'string' || !label.test(name))
    refuse('name', 'must be a DNS label (a-z, 0-9, -; 63 characters at most)');
  if (!isType(condition) || condition === 'Ready')
    refuse('condition', 'must be a condition type other than Ready, which is the sequencer’s', condition);
  if (!Array.isArray(after) || !after.every(isType)) refuse('after', 'must be an array of condition types', after);
  if (after.includes(condition)) refuse('after', 'must not hold its own condition');
  const misnamed = mistakeInDeclarations(outputs);
  if (misnamed !== undefined) refuse('outputs', misnamed);
  if (references !== undefined && typeof references !== 'function')
    refuse('references', 'must be a function (workspace) => outputs', references);
  if (reads !== undefined && typeof reads !== 'function')
    refuse('reads', 'must be a function (workspace) => JSON', reads);
  if (!Array.isArray(owns) || !owns.every(isKind)) refuse('owns', 'must be an array of kinds', owns);
  if (!isPolicy(policy)) refuse('policy', `must be one of ${policies.join(', ')}; found ${JSON.stringify(policy)}`);
  if (limits !== undefined && !isRecord(limits)) refuse('limits', 'must be an object', limits);
  if (!Array.isArray(secrets) || secrets.some((secret) => typeof secret !== 'string'))
    refuse('secrets', 'must be a list of texts');
  const wrong = permissions && mistakeInPermissions(permissions);
  if (wrong !== undefined) refuse('permissions', wrong);
  const mistake = limits && mistakeInLimits(limits);
  if (mistake !== undefined) refuse('limits:', mistake);
  if (typeof handles !== 'function') refuse('handles', 'must be a function (workspace) => boolean', handles);
  if (typeof connect !== 'function')
    refuse('connect', 'must be a function ({ workspace, controller }) => provider', connect);
  return integration;
}
