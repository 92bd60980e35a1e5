/** Validates the containers of pods. */

import type { FieldError } from '../../../../apimachinery/field-error.ts';
import { isLabel } from '../../../../apimachinery/name-validation.ts';
import type { Fields } from '../../../../apimachinery/object.ts';
import { namedPort, portNumber } from '../../../../apimachinery/validation/address-rules.ts';
import {
  fields,
  members,
  named,
  oneOf,
  type Rule,
  requiredValue,
} from '../../../../apimachinery/validation/combinators.ts';
import {
  fieldsOf,
  forbidden,
  invalid,
  listOf,
  required,
  unsupported,
} from '../../../../apimachinery/validation/errors.ts';
import { environment, environmentFrom } from './environment-rules.ts';
import { type Grace, lifecycleErrors, noLifecycleErrors } from './handler-rules.ts';
import { deviceErrors, mountErrors } from './mount-rules.ts';
import { containerResourceErrors } from './resource-rules.ts';
import { containerSecurityErrors } from './security-rules.ts';
import type { Volumes } from './volume-rules.ts';

/** Context of containers in their pod. */
export interface Surroundings {
  readonly spec: Fields;
  readonly volumes: Volumes;
  /** Names of the pod's resource claims. */
  readonly claims: ReadonlySet<string>;
  readonly grace: Grace;
}

const portRule = fields({
  containerPort: (value, path) => (value ? portNumber(value, path) : [required(path)]),
  hostPort: (value, path) => (value ? portNumber(value, path) : []),
  protocol: requiredValue('', oneOf('SCTP', 'TCP', 'UDP')),
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

const firstRules = fields({
  name: requiredValue('', named(isLabel)),
  image: requiredValue(),
  terminationMessagePolicy: requiredValue('', oneOf('File', 'FallbackToLogsOnError')),
});
const outerRules = members({ ports, env: environment, envFrom: environmentFrom });
const pullPolicy = requiredValue('', oneOf('Always', 'IfNotPresent', 'Never'));

function* resizeErrors(policies: readonly Fields[], path: string, restarts: unknown): Generator<FieldError> {
  const seen = new Set<unknown>();
  for (const [index, { resourceName = '', restartPolicy = '' }] of policies.entries()) {
    if (seen.has(resourceName)) yield { type: 'Duplicate', field: `${path}[${index}]`, value: resourceName };
    seen.add(resourceName);
    if (resourceName === '') yield required(path);
    else yield* unsupported(path, resourceName, ['cpu', 'memory']);
    if (restartPolicy === '') yield required(path);
    else yield* unsupported(path, restartPolicy, ['NotRequired', 'RestartContainer']);
    if (restarts === 'Never' && restartPolicy !== 'NotRequired') {
      yield invalid(path, restartPolicy, "must be 'NotRequired' when `restartPolicy` is 'Never'");
    }
  }
}

/** Validates the fields that all containers have. */
function* commonErrors(
  container: Fields,
  path: string,
  { spec, volumes, claims }: Surroundings,
): Generator<FieldError> {
  yield* firstRules(container, path);
  yield* outerRules(container, path);
  yield* mountErrors(container, `${path}.volumeMounts`, volumes);
  yield* deviceErrors(container, `${path}.volumeDevices`, volumes);
  yield* pullPolicy(container.imagePullPolicy, `${path}.imagePullPolicy`);
  const { resources, resizePolicy, securityContext } = container;
  if (resources !== undefined) yield* containerResourceErrors(resources, `${path}.resources`, claims);
  if (resizePolicy !== undefined) {
    yield* resizeErrors(listOf(resizePolicy), `${path}.resizePolicy`, spec.restartPolicy);
  }
  if (securityContext !== undefined) {
    yield* containerSecurityErrors(securityContext, `${path}.securityContext`, spec.hostUsers !== false);
  }
}

/** Reports duplicate host ports. */
function* hostPortErrors(containers: readonly (readonly [Fields, string])[]): Generator<FieldError> {
  const taken = new Set<string>();
  for (const [container, path] of containers) {
    for (const [index, { hostPort, hostIP = '', protocol = '' }] of listOf(container.ports).entries()) {
      if (!hostPort) continue;
      const value = `${protocol}/${hostIP}/${hostPort}`;
      if (taken.has(value)) yield { type: 'Duplicate', field: `${path}.ports[${index}].hostPort`, value };
      taken.add(value);
    }
  }
}

const sameName = (path: string, value: unknown): FieldError => ({ type: 'Duplicate', field: `${path}.name`, value });

/** Validates the main containers. */
export function* mainErrors(path: string, around: Surroundings): Generator<FieldError> {
  const containers = listOf(around.spec.containers);
  if (containers.length === 0) yield required(path);
  const names = new Set<unknown>();
  for (const [index, container] of containers.entries()) {
    const at = `${path}[${index}]`;
    const { name = '' } = container;
    yield* commonErrors(container, at, around);
    if (names.has(name)) yield sameName(at, name);
    names.add(name);
    yield* lifecycleErrors(container, at, around.grace);
  }
  yield* hostPortErrors(containers.map((one, index) => [one, `${path}[${index}]`]));
}

/** Validates the init containers. */
export function* initErrors(path: string, around: Surroundings): Generator<FieldError> {
  const { spec } = around;
  if (spec.initContainers === undefined) return;
  const names = new Set(listOf(spec.containers).map(({ name = '' }) => name));
  for (const [index, container] of listOf(spec.initContainers).entries()) {
    const at = `${path}[${index}]`;
    const { name = '' } = container;
    yield* commonErrors(container, at, around);
    if (names.has(name)) yield sameName(at, name);
    else if (name !== '') names.add(name);
    // The server reports index 0 here for all init containers.
    yield* hostPortErrors([[container, `${path}[0]`]]);
    if (container.restartPolicy === 'Always') yield* lifecycleErrors(container, at, around.grace);
    else yield* noLifecycleErrors(container, at);
  }
}

/** Reports images with surrounding whitespace, which only pod templates may have. */
export function* imageErrors(list: unknown, path: string): Generator<FieldError> {
  for (const [index, { image }] of listOf(list).entries()) {
    if (typeof image === 'string' && image !== image.trim()) {
      yield invalid(`${path}[${index}].image`, image, 'must not have leading or trailing whitespace');
    }
  }
}

/** Fields that ephemeral containers must not set, in the server's order. */
const notForEphemeral = [
  ...['ports', 'resources', 'resizePolicy', 'restartPolicy', 'restartPolicyRules'],
  ...['livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle'],
];
const ephemeralDetail = 'cannot be set for an Ephemeral Container';

const isEmpty = (value: unknown): boolean => typeof value === 'object' && Object.keys(fieldsOf(value)).length === 0;

function* lookerErrors(container: Fields, path: string): Generator<FieldError> {
  for (const name of notForEphemeral) {
    const value = container[name];
    if (value === undefined || (name === 'resources' && isEmpty(value))) continue;
    yield forbidden(`${path}.${name}`, ephemeralDetail);
  }
  for (const [index, mount] of listOf(container.volumeMounts).entries()) {
    for (const name of ['subPath', 'subPathExpr']) {
      if (mount[name]) yield forbidden(`${path}.volumeMounts[${index}].${name}`, ephemeralDetail);
    }
  }
}

/** Validates the ephemeral containers. */
export function* ephemeralErrors(path: string, around: Surroundings): Generator<FieldError> {
  const { spec } = around;
  if (spec.ephemeralContainers === undefined) return;
  const others = new Set([...listOf(spec.containers), ...listOf(spec.initContainers)].map(({ name = '' }) => name));
  const names = new Set(others);
  for (const [index, container] of listOf(spec.ephemeralContainers).entries()) {
    const at = `${path}[${index}]`;
    const { name = '', targetContainerName: target } = container;
    yield* commonErrors(container, at, around);
    const { image } = container;
    if (typeof image === 'string' && image !== image.trim()) {
      yield invalid(`${at}.image`, image, 'must not have leading or trailing whitespace');
    }
    if (names.has(name)) yield sameName(at, name);
    names.add(name);
    if (target && !others.has(target)) yield { type: 'NotFound', field: `${at}.targetContainerName`, value: target };
    yield* lookerErrors(container, at);
  }
}
