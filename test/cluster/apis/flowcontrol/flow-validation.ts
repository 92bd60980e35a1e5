/** Validates API priority and fairness: FlowSchemas and priority levels. */

import type { FieldError } from '../../apimachinery/field-error.ts';
import { isLabel, isSubdomain } from '../../apimachinery/name-validation.ts';
import { type Fields, ownMember } from '../../apimachinery/object.ts';
import {
  each,
  fields,
  inRange,
  named,
  oneOf,
  optional,
  type Rule,
  requiredValue,
} from '../../apimachinery/validation/combinators.ts';
import { type Check, fieldsOf, forbidden, invalid, listOf, required } from '../../apimachinery/validation/errors.ts';
import { asGo } from '../../resources/go-form.ts';

const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? (value as string[]) : []);
const hasWildcard = (list: readonly string[]): boolean => list.includes('*');

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

const supported = (list: readonly string[]): string =>
  `supported values: ${list.map((one) => JSON.stringify(one)).join(', ')}`;

/** Returns the rule of a list in which `*` must be alone; `none` and `others` are its messages. */
const aloneList = (none: string, others: string, rule: Rule = () => []): Rule =>
  function* (value, path) {
    const list = textsOf(value);
    if (list.length === 0) yield required(path, none);
    else if (hasWildcard(list)) {
      if (list.length > 1) yield invalid(path, list, `if '*' is present, must not specify other ${others}`);
    } else yield* rule(list, path);
  };

const verbList = aloneList('verbs must contain at least one value', 'verbs', function* (value, path) {
  if (textsOf(value).some((verb) => !verbs.includes(verb))) {
    yield { type: 'NotSupported', field: path, value, detail: supported(verbs) };
  }
});

const urlProblems: readonly (readonly [(url: string) => boolean, string])[] = [
  [(url) => url === '', 'must not be empty'],
  [(url) => !url.startsWith('/'), 'must start with slash'],
  [(url) => url.includes(' '), 'must not contain white-space'],
  [(url) => url.includes('//'), 'must not contain double slash'],
  [(url) => url.includes('*') && !/^[^*]*\/\*$/.test(url), 'wildcard can only do suffix matching'],
];

const url: Rule = function* (value, path) {
  const text = String(value ?? '');
  const problem = text === '/' ? undefined : urlProblems.find(([isWrong]) => isWrong(text));
  if (problem !== undefined) yield invalid(path, text, problem[1]);
};

const ofMember = "each member of this list must be '*' or a DNS-1123 label; ";

function* namespaceErrors(rule: Fields, path: string): Generator<FieldError> {
  const list = textsOf(rule.namespaces);
  if (list.length === 0) {
    const detail = 'resource rules that are not cluster scoped must supply at least one namespace';
    if (rule.clusterScope !== true) yield required(path, detail);
  } else if (hasWildcard(list)) {
    if (list.length > 1) yield invalid(path, list, "if '*' is present, must not specify other namespaces");
  } else yield* each(named((name) => isLabel(name).map((detail) => ofMember + detail)))(list, path);
}

const resourceParts = fields({
  verbs: verbList,
  apiGroups: aloneList('resource rules must supply at least one api group', 'api groups'),
  resources: aloneList('resource rules must supply at least one resource', 'resources'),
});

const resourceRule: Rule = function* (value, path) {
  yield* resourceParts(value, path);
  yield* namespaceErrors(fieldsOf(value), `${path}.namespaces`);
};

const otherRule = fields({
  verbs: verbList,
  nonResourceURLs: aloneList('nonResourceURLs must contain at least one value', 'non-resource URLs', each(url)),
});

const account: Rule = function* (value, path) {
  const { name, namespace } = fieldsOf(value);
  if (name !== '*') yield* requiredValue('', named(isSubdomain))(name, `${path}.name`);
  yield* requiredValue('must specify namespace for service account', named(isLabel))(namespace, `${path}.namespace`);
};

/** Required member of each kind of subject. */
const subjects: Readonly<Record<string, readonly [member: string, rule: Rule]>> = {
  Group: ['group', fields({ name: requiredValue() })],
  ServiceAccount: ['serviceAccount', account],
  User: ['user', fields({ name: requiredValue() })],
};

/** Kinds of subjects in the order in which the server reports members of other kinds. */
const others = ['ServiceAccount', 'User', 'Group'];

const subject: Rule = function* (value, path) {
  const one = fieldsOf(value);
  const kind = String(one.kind ?? '');
  const own = ownMember(subjects, kind);
  if (own === undefined) {
    yield* oneOf(...Object.keys(subjects))(kind, `${path}.kind`);
    return;
  }
  const [member, rule] = own;
  if (one[member] === undefined)
    yield required(`${path}.${member}`, `${member} is required when subject kind is '${kind}'`);
  else yield* rule(one[member], `${path}.${member}`);
  for (const other of others) {
    const name = subjects[other]![0];
    if (other === kind || one[name] === undefined) continue;
    yield forbidden(`${path}.${name}`, `${name} is forbidden when subject kind is not '${other}'`);
  }
};

const policyRule: Rule = function* (value, path) {
  const { subjects: list, resourceRules, nonResourceRules } = fieldsOf(value);
  if (listOf(list).length === 0) yield required(`${path}.subjects`, 'subjects must contain at least one value');
  else yield* each(subject)(list, `${path}.subjects`);
  if (listOf(resourceRules).length === 0 && listOf(nonResourceRules).length === 0) {
    yield required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty');
  }
  yield* each(resourceRule)(resourceRules, `${path}.resourceRules`);
  yield* each(otherRule)(nonResourceRules, `${path}.nonResourceRules`);
};

const maxPrecedence = 10_000;

function* precedenceErrors(value: unknown, name: string): Generator<FieldError> {
  const at = 'spec.matchingPrecedence';
  const precedence = Number(value ?? 0);
  if (precedence <= 0) yield invalid(at, precedence, 'must be a positive value');
  if (precedence > maxPrecedence) yield invalid(at, precedence, `must not be greater than ${maxPrecedence}`);
  if (precedence === 1 && name !== 'exempt') {
    yield invalid(at, precedence, "only the schema named 'exempt' may have matchingPrecedence 1");
  }
}

const nameOf = ({ metadata }: Fields): string => String(fieldsOf(metadata).name ?? '');

/** Precedence of the mandatory schemas, whose name is also that of their level. */
const mandatory: Readonly<Record<string, number>> = { exempt: 1, 'catch-all': 10_000 };

/** Validates a FlowSchema. */
export const flowSchema: Check = function* (object) {
  const spec = fieldsOf(object.spec);
  const name = nameOf(object);
  yield* precedenceErrors(spec.matchingPrecedence, name);
  const { distinguisherMethod: method, priorityLevelConfiguration: level } = spec;
  const { type = '' } = fieldsOf(method);
  if (method !== undefined && type !== 'ByUser' && type !== 'ByNamespace') {
    const value = asGo('flowcontrol.FlowDistinguisherMethod', method);
    yield {
      type: 'NotSupported',
      field: 'spec.distinguisherMethod.type',
      value,
      detail: supported(['ByNamespace', 'ByUser']),
    };
  }
  const levelAt = 'spec.priorityLevelConfiguration.name';
  yield* requiredValue('must reference a priority level', named(isSubdomain))(fieldsOf(level).name, levelAt);
  yield* each(policyRule)(spec.rules, 'spec.rules');
  const precedence = ownMember(mandatory, name);
  if (precedence !== undefined && (spec.matchingPrecedence !== precedence || fieldsOf(level).name !== name)) {
    yield invalid('spec', asGo('flowcontrol.FlowSchemaSpec', spec), `spec of '${name}' must equal the fixed value`);
  }
};

const notNegativeInteger = inRange(0, Number.POSITIVE_INFINITY, 'must be a non-negative integer');
const percent = inRange(0, 100, 'must be between 0 and 100, inclusive');
const maxQueues = 10_000_000;
const hashBits = 60;

/** Returns the bits of entropy of a hand of queues in shuffle sharding. */
const entropyOf = (queues: number, hand: number): number =>
  Array.from({ length: hand }, (_, index) => Math.log2(queues - index)).reduce((sum, bits) => sum + bits, 0);

function* queuingErrors(value: unknown, path: string): Generator<FieldError> {
  const { queues = 0, handSize = 0, queueLengthLimit = 0 } = fieldsOf(value) as Record<string, number>;
  if (queueLengthLimit <= 0) yield invalid(`${path}.queueLengthLimit`, queueLengthLimit, 'must be positive');
  if (queues <= 0) yield invalid(`${path}.queues`, queues, 'must be positive');
  else if (queues > maxQueues) yield invalid(`${path}.queues`, queues, `must not be greater than ${maxQueues}`);
  const at = `${path}.handSize`;
  if (handSize <= 0) yield invalid(at, handSize, 'must be positive');
  else if (handSize > queues) yield invalid(at, handSize, `should not be greater than queues (${queues})`);
  else if (Math.ceil(entropyOf(queues, handSize)) > hashBits) {
    const detail = `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${hashBits}`;
    yield invalid(at, handSize, detail);
  }
}

const limitResponse: Rule = function* (value, path) {
  const { type = '', queuing } = fieldsOf(value);
  const at = `${path}.queuing`;
  if (type === 'Reject') {
    if (queuing !== undefined) yield forbidden(at, 'must be nil if limited.limitResponse.type is not Limited');
  } else if (type !== 'Queue') yield* oneOf('Queue', 'Reject')(type, `${path}.type`);
  else if (queuing === undefined) yield required(at, 'must not be empty if limited.limitResponse.type is Limited');
  else yield* queuingErrors(queuing, at);
};

const limited = fields({
  nominalConcurrencyShares: notNegativeInteger,
  limitResponse,
  lendablePercent: percent,
  borrowingLimitPercent: inRange(0, Number.POSITIVE_INFINITY, 'if specified, must be a non-negative integer'),
});

const exempt = fields({ nominalConcurrencyShares: notNegativeInteger, lendablePercent: percent });

/** Validates a PriorityLevelConfiguration. */
export const priorityLevel: Check = function* (object) {
  const spec = fieldsOf(object.spec);
  const type = String(spec.type ?? '');
  if ((nameOf(object) === 'exempt') !== (type === 'Exempt')) {
    yield invalid('spec.type', type, "must be 'Exempt' if and only if `name` is 'exempt'");
  }
  if (type === 'Exempt') {
    if (spec.limited !== undefined) yield forbidden('spec.limited', 'must be nil if the type is not Limited');
    yield* optional(exempt)(spec.exempt, 'spec.exempt');
  } else if (type === 'Limited') {
    if (spec.exempt !== undefined) yield forbidden('spec.exempt', 'must be nil if the type is Limited');
    if (spec.limited === undefined) yield required('spec.limited', 'must not be empty when type is Limited');
    else yield* limited(spec.limited, 'spec.limited');
  } else yield* oneOf('Exempt', 'Limited')(type, 'spec.type');
};

/** Validates that each type of condition occurs once. */
export const conditions: Check = function* ({ status }) {
  const seen = new Set<unknown>();
  for (const [index, { type }] of listOf(fieldsOf(status).conditions).entries()) {
    const at = `status.conditions[${index}].type`;
    if (seen.has(type)) yield { type: 'Duplicate', field: at, value: type };
    seen.add(type);
    yield* requiredValue()(type, at);
  }
};
