import type { FieldError } from '../field-error.ts';
import { equal, type Fields } from '../objects/object.ts';
import {
  badPort,
  type Check,
  duplicates,
  fieldsOf,
  forbidden,
  invalid,
  listOf,
  required,
  unsupported,
} from './checks.ts';
import { isLabel, isSubdomain } from './names.ts';
import { parseQuantity } from './quantity.ts';

const environmentName = /^[ -<>-~]+$/;

function* resourceErrors(resources: Fields, path: string): Generator<FieldError> {
  const limits = fieldsOf(resources.limits);
  for (const [name, amount] of Object.entries(fieldsOf(resources.requests))) {
    const limit = limits[name];
    if (limit === undefined) continue;
    const [asked, most] = [parseQuantity(String(amount)), parseQuantity(String(limit))];
    if (asked !== undefined && most !== undefined && asked.nano > most.nano) {
      yield invalid(`${path}.requests`, amount, `must be less than or equal to ${name} limit of ${limit}`);
    }
  }
  for (const list of ['limits', 'requests']) {
    for (const [name, amount] of Object.entries(fieldsOf(resources[list]))) {
      const parsed = parseQuantity(String(amount));
      if (parsed !== undefined && parsed.nano < 0n) {
        yield invalid(`${path}.${list}[${name}]`, amount, 'must be greater than or equal to 0');
      }
    }
  }
}

function* portErrors(ports: readonly Fields[], path: string): Generator<FieldError> {
  for (const [index, port] of ports.entries()) {
    const at = `${path}[${index}]`;
    if (port.containerPort === 0 || port.containerPort === undefined) yield required(`${at}.containerPort`);
    else yield* badPort(`${at}.containerPort`, port.containerPort);
    if (port.hostPort !== undefined) yield* badPort(`${at}.hostPort`, port.hostPort);
    yield* unsupported(`${at}.protocol`, port.protocol, ['SCTP', 'TCP', 'UDP']);
  }
  yield* duplicates(ports, (index) => `${path}[${index}]`, 'name');
}

function* mountErrors(mounts: readonly Fields[], volumes: ReadonlySet<unknown>, path: string): Generator<FieldError> {
  const seen = new Set<unknown>();
  for (const [index, mount] of mounts.entries()) {
    const at = `${path}[${index}]`;
    if (!mount.name) yield required(`${at}.name`);
    else if (!volumes.has(mount.name)) yield { type: 'NotFound', field: `${at}.name`, value: mount.name };
    if (!mount.mountPath) yield required(`${at}.mountPath`);
    else if (seen.has(mount.mountPath)) yield invalid(`${at}.mountPath`, mount.mountPath, 'must be unique');
    seen.add(mount.mountPath);
  }
}

function* environmentErrors(variables: readonly Fields[], path: string): Generator<FieldError> {
  for (const [index, variable] of variables.entries()) {
    const at = `${path}[${index}]`;
    if (!variable.name) yield required(`${at}.name`);
    else if (!environmentName.test(String(variable.name))) {
      yield invalid(
        `${at}.name`,
        variable.name,
        "a valid environment variable name must consist only of printable ASCII characters other than '='",
      );
    }
    if (variable.valueFrom !== undefined && variable.value) {
      yield invalid(`${at}.valueFrom`, '', 'may not be specified when `value` is not empty');
    }
  }
}

const pullPolicies = ['Always', 'IfNotPresent', 'Never'];

function* containerErrors(container: Fields, volumes: ReadonlySet<unknown>, path: string): Generator<FieldError> {
  if (!container.name) yield required(`${path}.name`);
  else {
    for (const detail of isLabel(String(container.name))) yield invalid(`${path}.name`, container.name, detail);
  }
  if (!container.image) yield required(`${path}.image`);
  else if (String(container.image) !== String(container.image).trim()) {
    yield invalid(`${path}.image`, container.image, 'must not have leading or trailing whitespace');
  }
  yield* unsupported(`${path}.imagePullPolicy`, container.imagePullPolicy, pullPolicies);
  yield* portErrors(listOf(container.ports), `${path}.ports`);
  yield* environmentErrors(listOf(container.env), `${path}.env`);
  yield* mountErrors(listOf(container.volumeMounts), volumes, `${path}.volumeMounts`);
  yield* resourceErrors(fieldsOf(container.resources), `${path}.resources`);
}

function* volumeErrors(volumes: readonly Fields[], path: string): Generator<FieldError> {
  for (const [index, volume] of volumes.entries()) {
    if (!volume.name) yield required(`${path}[${index}].name`);
    else
      for (const detail of isLabel(String(volume.name))) yield invalid(`${path}[${index}].name`, volume.name, detail);
    const sources = Object.keys(volume).filter((name) => name !== 'name');
    for (const extra of sources.slice(1))
      yield forbidden(`${path}[${index}].${extra}`, 'may not specify more than 1 volume type');
  }
  yield* duplicates(volumes, (index) => `${path}[${index}]`, 'name');
}

const restartPolicies = ['Always', 'OnFailure', 'Never'];
const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

/** What is wrong with the spec of a pod or of a template of pods. */
export function* podSpecErrors(spec: Fields, path: string): Generator<FieldError> {
  const containers = listOf(spec.containers);
  const initContainers = listOf(spec.initContainers);
  const volumes = listOf(spec.volumes);
  const names = new Set(volumes.map(({ name }) => name));
  yield* volumeErrors(volumes, `${path}.volumes`);
  if (containers.length === 0) yield required(`${path}.containers`);
  for (const [index, one] of containers.entries()) yield* containerErrors(one, names, `${path}.containers[${index}]`);
  for (const [index, one] of initContainers.entries()) {
    yield* containerErrors(one, names, `${path}.initContainers[${index}]`);
  }
  yield* duplicates([...containers], (index) => `${path}.containers[${index}]`, 'name');
  yield* unsupported(`${path}.restartPolicy`, spec.restartPolicy, restartPolicies);
  yield* unsupported(`${path}.dnsPolicy`, spec.dnsPolicy, dnsPolicies);
  if (spec.serviceAccountName) {
    for (const detail of isSubdomain(String(spec.serviceAccountName))) {
      yield invalid(`${path}.serviceAccountName`, spec.serviceAccountName, detail);
    }
  }
  const { activeDeadlineSeconds } = spec;
  if (typeof activeDeadlineSeconds === 'number' && activeDeadlineSeconds < 1) {
    yield invalid(
      `${path}.activeDeadlineSeconds`,
      activeDeadlineSeconds,
      'must be between 1 and 2147483647, inclusive',
    );
  }
}

const mutable =
  '`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

const withoutImages = (containers: unknown): unknown => listOf(containers).map(({ image: _image, ...rest }) => rest);

/** The spec without what may change in a running pod. */
function fixedPart(spec: Fields): Fields {
  const { activeDeadlineSeconds: _deadline, tolerations: _tolerations, containers, initContainers, ...rest } = spec;
  const { schedulingGates: _gates, nodeName: _node, ...fixed } = rest;
  return { ...fixed, containers: withoutImages(containers), initContainers: withoutImages(initContainers) };
}

/** What is wrong with a Pod. */
export const podErrors: Check = function* (pod, old) {
  const spec = fieldsOf(pod.spec);
  yield* podSpecErrors(spec, 'spec');
  if (old === undefined) return;
  const before = fieldsOf(old.spec);
  if (listOf(spec.containers).length !== listOf(before.containers).length) {
    yield forbidden('spec.containers', 'pod updates may not add or remove containers');
  } else if (!equal(fixedPart(spec), fixedPart(before))) {
    yield forbidden('spec', `pod updates may not change fields other than ${mutable}`);
  }
};
