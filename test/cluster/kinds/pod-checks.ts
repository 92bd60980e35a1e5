import type { FieldError } from '../field-error.ts';
import { equal, type Fields, isFields } from '../objects/object.ts';
import { ipAddress } from './address-rules.ts';
import { type Check, duplicates, fieldsOf, forbidden, invalid, listOf, required, unsupported } from './checks.ts';
import { containerErrors, lifeErrors } from './container-checks.ts';
import { isLabel, isSubdomain } from './names.ts';
import { partErrors } from './pod-parts.ts';
import { parseQuantity } from './quantity.ts';
import { each, fields, filled, labels, named } from './rules.ts';

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

interface Surroundings {
  readonly volumes: ReadonlySet<unknown>;
  readonly seen: Set<unknown>;
}

/** Containers of one kind; their names are not to be there twice. */
function* containersErrors(list: unknown, path: string, { volumes, seen }: Surroundings): Generator<FieldError> {
  for (const [index, container] of listOf(list).entries()) {
    const at = `${path}[${index}]`;
    yield* containerErrors(container, at, {
      mounts: mountErrors(listOf(container.volumeMounts), volumes, `${at}.volumeMounts`),
      resources: resourceErrors(fieldsOf(container.resources), `${at}.resources`),
    });
    if (container.name && seen.has(container.name)) {
      yield { type: 'Duplicate', field: `${at}.name`, value: container.name };
    }
    seen.add(container.name);
    yield* lifeErrors(container, at);
  }
}

const notForEphemeral = ['ports', 'resources', 'resizePolicy', 'restartPolicy', 'restartPolicyRules'].concat([
  ...['livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle'],
]);

const isSet = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : isFields(value) ? Object.keys(value).length > 0 : Boolean(value);

/** What containers that are added to a running pod cannot have; `targets` are those that they may look at. */
function* ephemeralErrors(list: unknown, path: string, targets: ReadonlySet<unknown>): Generator<FieldError> {
  const message = 'cannot be set for an Ephemeral Container';
  for (const [index, container] of listOf(list).entries()) {
    const at = `${path}[${index}]`;
    const { targetContainerName: target } = container;
    if (target && !targets.has(target)) yield { type: 'NotFound', field: `${at}.targetContainerName`, value: target };
    for (const name of notForEphemeral) if (isSet(container[name])) yield forbidden(`${at}.${name}`, message);
    for (const [mounted, mount] of listOf(container.volumeMounts).entries()) {
      for (const name of ['subPath', 'subPathExpr'])
        if (mount[name]) yield forbidden(`${at}.volumeMounts[${mounted}].${name}`, message);
    }
  }
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

const lastRules = fields({
  hostname: filled(named(isLabel)),
  subdomain: filled(named(isLabel)),
  hostAliases: each(fields({ ip: ipAddress, hostnames: each(named(isSubdomain)) })),
  priorityClassName: filled(named(isSubdomain)),
});

const restartPolicies = ['Always', 'OnFailure', 'Never'];
const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

/** What is wrong with the spec of a pod or of a template of pods. */
export function* podSpecErrors(spec: Fields, path: string): Generator<FieldError> {
  const volumes = listOf(spec.volumes);
  const names = new Set(volumes.map(({ name }) => name));
  yield* volumeErrors(volumes, `${path}.volumes`);
  if (listOf(spec.containers).length === 0) yield required(`${path}.containers`);
  const seen = new Set<unknown>();
  yield* containersErrors(spec.containers, `${path}.containers`, { volumes: names, seen });
  yield* containersErrors(spec.initContainers, `${path}.initContainers`, { volumes: names, seen });
  const targets = new Set(seen);
  yield* containersErrors(spec.ephemeralContainers, `${path}.ephemeralContainers`, { volumes: names, seen });
  yield* ephemeralErrors(spec.ephemeralContainers, `${path}.ephemeralContainers`, targets);
  yield* unsupported(`${path}.restartPolicy`, spec.restartPolicy, restartPolicies);
  yield* unsupported(`${path}.dnsPolicy`, spec.dnsPolicy, dnsPolicies);
  yield* labels(spec.nodeSelector, `${path}.nodeSelector`);
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
  yield* lastRules(spec, path);
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
export const podErrors: Check = function* (pod, old, part = 'object') {
  const spec = fieldsOf(pod.spec);
  yield* podSpecErrors(spec, 'spec');
  if (old === undefined) {
    if (listOf(spec.ephemeralContainers).length > 0)
      yield forbidden('spec.ephemeralContainers', 'cannot be set on create');
    return;
  }
  if (partErrors[part] !== undefined) return yield* partErrors[part](pod, old);
  const before = fieldsOf(old.spec);
  if (listOf(spec.containers).length !== listOf(before.containers).length) {
    yield forbidden('spec.containers', 'pod updates may not add or remove containers');
  } else if (!equal(fixedPart(spec), fixedPart(before))) {
    yield forbidden('spec', `pod updates may not change fields other than ${mutable}`);
  }
};
