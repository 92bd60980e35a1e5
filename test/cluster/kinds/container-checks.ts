import type { FieldError } from '../field-error.ts';
import type { Fields } from '../objects/object.ts';
import { namedPort, portNumber, portNumberOrName } from './address-rules.ts';
import { fieldsOf, forbidden, invalid, listOf, required } from './checks.ts';
import { configKeyProblems } from './config-checks.ts';
import { isLabel, isSubdomain } from './names.ts';
import { each, fields, filled, given, inRange, named, needed, notNegative, oneOf, type Rule, some } from './rules.ts';

const portRule = fields({
  containerPort: (value, path) => (value ? portNumber(value, path) : [required(path)]),
  hostPort: (value, path) => (value ? portNumber(value, path) : []),
  protocol: needed('', oneOf('SCTP', 'TCP', 'UDP')),
});

const ports: Rule = function* (value, path) {
  const names = new Set<unknown>();
  for (const [index, port] of listOf(value).entries()) {
    const at = `${path}[${index}]`;
    const problems = port.name ? [...namedPort(port.name, `${at}.name`)] : [];
    yield* problems;
    if (names.has(port.name)) yield { type: 'Duplicate', field: `${at}.name`, value: port.name };
    if (port.name && problems.length === 0) names.add(port.name);
    yield* portRule(port, at);
  }
};

const variableName = named((name) =>
  /^[ -<>-~]+$/.test(name)
    ? []
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"],
);

const keySelector = fields({ name: named(isSubdomain), key: needed('', named(configKeyProblems)) });

const readableFields = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
].concat(['status.hostIP', 'status.hostIPs', 'status.podIP', 'status.podIPs']);
const listedFields = /^(metadata\.(annotations|labels)|spec\.(restartPolicy|schedulerName)|status\.phase)$/;

const fieldPath: Rule = function* (value, path) {
  const text = String(value);
  if (/^metadata\.(annotations|labels)\['.*'\]$/.test(text) || readableFields.includes(text)) return;
  if (listedFields.test(text)) yield* oneOf(...readableFields)(text, path);
  else yield invalid(path, text, `error converting fieldPath: field label not supported: ${text}`);
};

const resourceNames = ['limits', 'requests'].flatMap((list) =>
  ['cpu', 'ephemeral-storage', 'memory'].map((name) => `${list}.${name}`),
);

const resource: Rule = (value, path) =>
  /^(limits|requests)\.hugepages-/.test(String(value)) ? [] : oneOf(...resourceNames)(value, path);

const sources: Readonly<Record<string, Rule>> = {
  fieldRef: fields({ apiVersion: needed(), fieldPath: needed('', fieldPath) }),
  resourceFieldRef: fields({ resource: needed('', resource) }),
  configMapKeyRef: keySelector,
  secretKeyRef: keySelector,
};

const variable: Rule = function* (one, path) {
  const { name, value, valueFrom } = fieldsOf(one);
  yield* needed('', variableName)(name, `${path}.name`);
  if (valueFrom === undefined) return;
  const at = `${path}.valueFrom`;
  const from = fieldsOf(valueFrom);
  const used = Object.keys(sources).filter((source) => from[source] !== undefined);
  for (const source of used) yield* sources[source]!(from[source], `${at}.${source}`);
  if (used.length === 0) {
    yield invalid(at, '', 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`');
  } else if (value) yield invalid(at, '', 'may not be specified when `value` is not empty');
  else if (used.length > 1) yield invalid(at, '', 'may not have more than one field specified at a time');
};

const wholeSource = given(fields({ name: needed('', named(isSubdomain)) }));

const environmentFrom: Rule = function* (value, path) {
  for (const [index, one] of listOf(value).entries()) {
    const at = `${path}[${index}]`;
    yield* filled(variableName)(one.prefix, `${at}.prefix`);
    yield* wholeSource(one.configMapRef, `${at}.configMapRef`);
    yield* wholeSource(one.secretRef, `${at}.secretRef`);
    const count = [one.configMapRef, one.secretRef].filter((source) => source !== undefined).length;
    if (count === 0) yield invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`');
    if (count > 1) yield invalid(path, '', 'may not have more than one field specified at a time');
  }
};

const handlers: Readonly<Record<string, Rule>> = {
  exec: fields({ command: some() }),
  httpGet: fields({ path: needed(), port: portNumberOrName, scheme: oneOf('HTTP', 'HTTPS') }),
  tcpSocket: fields({ port: portNumberOrName }),
  grpc: fields({ port: portNumber }),
  sleep: () => [],
};

const handler: Rule = function* (value, path) {
  const [first, ...more] = Object.keys(handlers).filter((name) => fieldsOf(value)[name] !== undefined);
  if (first === undefined) yield required(path, 'must specify a handler type');
  else yield* handlers[first]!(fieldsOf(value)[first], `${path}.${first}`);
  for (const name of more) yield forbidden(`${path}.${name}`, 'may not specify more than 1 handler type');
};

const probe: Rule = given(function* (value, path) {
  yield* handler(value, path);
  yield* fields({
    initialDelaySeconds: notNegative,
    timeoutSeconds: notNegative,
    periodSeconds: notNegative,
    successThreshold: notNegative,
    failureThreshold: notNegative,
    terminationGracePeriodSeconds: inRange(1, Number.POSITIVE_INFINITY, 'must be greater than 0'),
  })(value, path);
});

const onceOnly: Rule = given(function* (value, path) {
  yield* probe(value, path);
  const { successThreshold = 0 } = fieldsOf(value);
  if (successThreshold !== 1) yield invalid(`${path}.successThreshold`, successThreshold, 'must be 1');
});

const firstRules = fields({
  name: needed('', named(isLabel)),
  image: needed(),
  terminationMessagePolicy: needed('', oneOf('File', 'FallbackToLogsOnError')),
  ports,
  env: each(variable),
  envFrom: environmentFrom,
});

const lastRules = fields({ imagePullPolicy: needed('', oneOf('Always', 'IfNotPresent', 'Never')) });

const lifeRules = fields({
  lifecycle: given(fields({ postStart: given(handler), preStop: given(handler) })),
  livenessProbe: onceOnly,
  readinessProbe: probe,
  startupProbe: onceOnly,
});

/** Rules of a container; `mounts` is what is wrong with its mounts, `resources` with its resources. */
export function* containerErrors(
  container: Fields,
  path: string,
  others: { readonly mounts: Iterable<FieldError>; readonly resources: Iterable<FieldError> },
): Generator<FieldError> {
  yield* firstRules(container, path);
  if (container.image && String(container.image) !== String(container.image).trim()) {
    yield invalid(`${path}.image`, container.image, 'must not have leading or trailing whitespace');
  }
  yield* others.mounts;
  yield* lastRules(container, path);
  yield* others.resources;
}

/** Rules of what happens to a container while it lives. */
export const lifeErrors: Rule = lifeRules;
