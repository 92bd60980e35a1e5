/** Warns of deprecated and suspicious fields of pods. */

import type { Fields } from '../../../../apimachinery/object.ts';
import { addressWarnings } from '../../../../apimachinery/validation/address-rules.ts';
import { fieldsOf, listOf } from '../../../../apimachinery/validation/errors.ts';
import { nanoOf } from '../../../../apimachinery/validation/quantity-rules.ts';
import { appArmorPrefix, seccompPrefix } from '../annotations.ts';
import { containersOf } from '../containers-of.ts';
import { fileWarnings } from './file-warnings.ts';
import { neighbourWarnings, placementWarnings } from './placement-warnings.ts';
import { portWarnings } from './port-warnings.ts';

/** Annotations that have no effect any more. */
const oldAnnotations: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod': 'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
};

/** Deprecated and removed volume sources: their names in messages, and since when. */
const oldVolumes: Readonly<Record<string, readonly [string, string]>> = {
  photonPersistentDisk: ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  gitRepo: ['gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  scaleIO: ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  flocker: ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  storageos: ['storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  quobyte: ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  glusterfs: ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  cephfs: ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  rbd: ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
};

/** Returns the warnings for fractional bytes of the named resources. */
export function* fractionWarnings(amounts: unknown, path: string, names: readonly string[]): Generator<string> {
  const list = fieldsOf(amounts);
  for (const name of names) {
    const amount = list[name];
    if (amount === undefined || nanoOf(amount) % 10n ** 9n === 0n) continue;
    yield `${path}[${name}]: fractional byte value "${amount}" is invalid, must be an integer`;
  }
}

function* volumeWarnings(volumes: readonly Fields[], path: string): Generator<string> {
  for (const [index, volume] of volumes.entries()) {
    const at = `${path}[${index}]`;
    for (const name of Object.keys(volume)) {
      const known = oldVolumes[name];
      if (known !== undefined) yield `${at}.${known[0]}: ${known[1]}`;
    }
    const claim = fieldsOf(fieldsOf(volume.ephemeral).volumeClaimTemplate).spec;
    const { requests, limits } = fieldsOf(fieldsOf(claim).resources);
    const resources = `${at}.ephemeral.volumeClaimTemplate.spec.resources`;
    yield* fractionWarnings(requests, `${resources}.requests`, ['storage']);
    yield* fractionWarnings(limits, `${resources}.limits`, ['storage']);
  }
  yield* fileWarnings(volumes);
}

/** Returns the warnings for list items with duplicate keys. */
function* repeated(list: unknown, path: string, key: string): Generator<string> {
  const seen = new Set<unknown>();
  for (const [index, item] of listOf(list).entries()) {
    const value = item[key] ?? '';
    if (seen.has(value)) yield `${path}[${index}].${key}: duplicate ${key} "${value}"`;
    seen.add(value);
  }
}

function* secretWarnings(secrets: unknown, path: string): Generator<string> {
  yield* repeated(secrets, path, 'name');
  for (const [index, { name }] of listOf(secrets).entries()) {
    if (!name) yield `${path}[${index}].name: invalid empty name ""`;
  }
}

/** Returns the warnings for environment variables that override an earlier one without referring to it. */
function* variableWarnings(variables: readonly Fields[], path: string): Generator<string> {
  const seen = new Set<unknown>();
  for (const [index, { name, value = '', valueFrom }] of variables.entries()) {
    const own = `$(${name})`;
    const isHiding = valueFrom !== undefined || value === own || !String(value).includes(own);
    if (seen.has(name) && isHiding) {
      yield `${path}[${index}]: hides previous definition of "${name}", which may be dropped when using apply`;
    }
    seen.add(name);
  }
}

const bytes = ['memory', 'ephemeral-storage'];

/** Returns an AppArmor profile in the form of an annotation. */
const profileText = (profile: unknown): string | undefined => {
  const { type, localhostProfile } = fieldsOf(profile);
  const texts: Readonly<Record<string, string>> = {
    RuntimeDefault: 'runtime/default',
    Unconfined: 'unconfined',
    Localhost: `localhost/${localhostProfile}`,
  };
  return texts[String(type)];
};

function* profileWarnings(container: Fields, owner: Owner): Generator<string> {
  const { annotations, path, spec, isTemplate } = owner;
  const [seccomp, appArmor] = [seccompPrefix + container.name, appArmorPrefix + container.name];
  const context = fieldsOf(container.securityContext);
  if (context.seccompProfile === undefined && annotations[seccomp] !== undefined) {
    yield `${path}[${seccomp}]: non-functional in v1.27+; use the "seccompProfile" field instead`;
  }
  const text = annotations[appArmor];
  const ofPod = profileText(fieldsOf(spec.securityContext).appArmorProfile);
  if (text === undefined || ofPod === text) return;
  // The field of a pod is copied from the annotation; a template's is not.
  const isField = context.appArmorProfile !== undefined;
  const isMade = isField && profileText(context.appArmorProfile) === text;
  if (isTemplate ? isField : isField && !isMade) return;
  yield `${path}[${appArmor}]: deprecated since v1.30; use the "appArmorProfile" field instead`;
}

/** Owner of the containers to check. */
interface Owner {
  readonly annotations: Readonly<Record<string, unknown>>;
  /** Path of the annotations. */
  readonly path: string;
  readonly spec: Fields;
  readonly isTemplate: boolean;
}

function* containerWarnings(owner: Owner, path: string): Generator<string> {
  for (const [container, at] of containersOf(owner.spec, path)) {
    yield* profileWarnings(container, owner);
    const { limits, requests } = fieldsOf(container.resources);
    for (const name of bytes) {
      yield* fractionWarnings(limits, `${at}.resources.limits`, [name]);
      yield* fractionWarnings(requests, `${at}.resources.requests`, [name]);
    }
    const variables = listOf(container.env);
    if (variables.length > 1) yield* variableWarnings(variables, `${at}.env`);
  }
}

function* lastWarnings(spec: Fields, path: string): Generator<string> {
  if (Number(spec.terminationGracePeriodSeconds) < 0) {
    const effect = 'must be >= 0; negative values are invalid and will be treated as 1';
    yield `${path}.terminationGracePeriodSeconds: ${effect}`;
  }
  yield* neighbourWarnings(spec.affinity, `${path}.affinity`);
  const { nameservers } = fieldsOf(spec.dnsConfig);
  for (const [index, one] of (Array.isArray(nameservers) ? nameservers : []).entries()) {
    yield* addressWarnings(one, `${path}.dnsConfig.nameservers[${index}]`);
  }
  for (const [index, { ip }] of listOf(spec.hostAliases).entries()) {
    yield* addressWarnings(ip, `${path}.hostAliases[${index}].ip`);
  }
}

const seccompOfPod = 'seccomp.security.alpha.kubernetes.io/pod';

/** Returns the server's warnings for a pod or, with `path`, a pod template at that path. */
export function* podWarnings(pod: Fields, path = ''): Generator<string> {
  const [start, spec] = [path === '' ? '' : `${path}.`, fieldsOf(pod.spec)];
  const annotations = fieldsOf(fieldsOf(pod.metadata).annotations);
  const [noted, at] = [`${start}metadata.annotations`, `${start}spec`];
  yield* placementWarnings(spec, at);
  for (const [key, message] of Object.entries(oldAnnotations)) {
    if (annotations[key] !== undefined) yield `${noted}[${key}]: ${message}`;
  }
  if (spec.volumes !== undefined) yield* volumeWarnings(listOf(spec.volumes), `${at}.volumes`);
  yield* repeated(spec.hostAliases, `${at}.hostAliases`, 'ip');
  yield* secretWarnings(spec.imagePullSecrets, `${at}.imagePullSecrets`);
  yield* fractionWarnings(spec.overhead, `${at}.overhead`, bytes);
  if (annotations[seccompOfPod] !== undefined && fieldsOf(spec.securityContext).seccompProfile === undefined) {
    yield `${noted}[${seccompOfPod}]: non-functional in v1.27+; use the "seccompProfile" field instead`;
  }
  yield* containerWarnings({ annotations, path: noted, spec, isTemplate: path !== '' }, at);
  yield* portWarnings(spec, at);
  yield* lastWarnings(spec, at);
}
