/** Validation of the specs of admission policies. */

import { isLabel1035, isSubdomain } from '../../apimachinery/name-validation.ts';
import {
  all,
  each,
  fields,
  labelSelector,
  oneOf,
  optional,
  type Rule,
  requiredValue,
} from '../../apimachinery/validation/combinators.ts';
import { fieldsOf, invalid, required } from '../../apimachinery/validation/errors.ts';
import { ruleWithOperations } from './webhook-validation.ts';

/** Returns the rule of a required value, which may be an empty text. */
const present = (rule: Rule): Rule =>
  function* (value, path) {
    if (value === undefined || value === null) yield required(path);
    else yield* rule(value, path);
  };

/** Rule of resource names, each unique. */
const resourceNames: Rule = function* (value, path) {
  const seen = new Set<unknown>();
  for (const [index, name] of (Array.isArray(value) ? value : []).entries()) {
    const at = `${path}[${index}]`;
    if (name === '.' || name === '..') yield invalid(at, name, `may not be '${name}'`);
    for (const sign of ['/', '%'])
      if (String(name).includes(sign)) yield invalid(at, name, `may not contain '${sign}'`);
    if (seen.has(name)) yield { type: 'Duplicate', field: at, value: name };
    seen.add(name);
  }
};

const resourceRules = each(all(fields({ resourceNames }), ruleWithOperations));

const matchResources = fields({
  matchPolicy: present(oneOf('Equivalent', 'Exact')),
  namespaceSelector: requiredValue('', labelSelector),
  objectSelector: requiredValue('', labelSelector),
  resourceRules,
  excludeResourceRules: resourceRules,
});

/** Rule of match constraints, whose resource rules are required. */
const matchConstraints: Rule = function* (value, path) {
  if (value === undefined || value === null) {
    yield required(path);
    return;
  }
  yield* matchResources(value, path);
  const { resourceRules: rules } = fieldsOf(value);
  if (!Array.isArray(rules) || rules.length === 0) yield required(`${path}.resourceRules`);
};

const paramVersion: Rule = function* (value, path) {
  const text = String(value);
  const parts = text === '/' ? ['', ''] : text.split('/');
  if (parts.length > 2) {
    yield invalid(path, text, `unexpected GroupVersion string: ${text}`);
    return;
  }
  const [group, version] = parts.length === 2 ? parts : ['', parts[0]];
  const groupFaults = group === '' ? [] : isSubdomain(group!);
  if (groupFaults.length > 0) yield invalid(path, group, groupFaults.join(','));
  if (version === '') {
    yield invalid(path, text, 'version must be specified');
    return;
  }
  const faults = isLabel1035(version!);
  if (faults.length > 0) yield invalid(path, version, faults.join(','));
};

const paramKind: Rule = fields({
  apiVersion: requiredValue('', paramVersion),
  kind: requiredValue('', (value, path) => {
    const faults = isLabel1035(String(value).toLowerCase());
    const why = 'may have mixed case, but should otherwise match: ';
    return faults.length === 0 ? [] : [invalid(path, value, why + faults.join(','))];
  }),
});

/** Rule of a policy's spec without its expressions. */
export const policySpecRule: Rule = fields({
  failurePolicy: present(oneOf('Fail', 'Ignore')),
  paramKind: optional(paramKind),
  matchConstraints,
});
