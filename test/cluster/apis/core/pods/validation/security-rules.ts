/** Validates security contexts. */

import type { FieldError } from '../../../../apimachinery/field-error.ts';
import type { Fields } from '../../../../apimachinery/object.ts';
import { each, inRange, members, oneOf, type Rule } from '../../../../apimachinery/validation/combinators.ts';
import { fieldsOf, invalid, listOf, required, unsupported } from '../../../../apimachinery/validation/errors.ts';
import { asGo } from '../../../../resources/go-form.ts';
import { descendingPath } from './path-rules.ts';
import { windowsOptions } from './windows-rules.ts';

/** Rule of user and group ids. */
export const unixId = inRange(0, 2 ** 31 - 1, 'must be between 0 and 2147483647, inclusive');

const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined'];

function* typeErrors(type: unknown, path: string, field: string): Generator<FieldError> {
  if (!type) yield required(path, `type is required when ${field} is set`);
  else yield* unsupported(path, type, profileTypes);
}

const seccompProfile: Rule = function* (value, path) {
  const { type, localhostProfile } = fieldsOf(value);
  const field = `${path}.localhostProfile`;
  yield* typeErrors(type, `${path}.type`, 'seccompProfile');
  if (type === 'Localhost') {
    if (localhostProfile === undefined) yield required(field, 'must be set when seccomp type is Localhost');
    else yield* descendingPath(localhostProfile, field);
  } else if (localhostProfile !== undefined) {
    yield invalid(field, asGo('core.SeccompProfile', value), 'can only be set when seccomp type is Localhost');
  }
};

const needsProfile = 'must be set when AppArmor type is Localhost';

function* localProfileErrors(profile: unknown, path: string): Generator<FieldError> {
  const text = String(profile ?? '');
  if (profile !== undefined && text.trim() !== text) yield invalid(path, text, 'must not be padded with whitespace');
  else if (text === '') yield required(path, needsProfile);
  if (text.length > 4095) yield { type: 'TooLong', field: path, detail: 'may not be more than 4095 bytes' };
}

/** Rule of AppArmor profiles. */
export const appArmorProfile: Rule = function* (value, path) {
  const { type, localhostProfile } = fieldsOf(value);
  yield* typeErrors(type, `${path}.type`, 'appArmorProfile');
  if (type === 'Localhost') yield* localProfileErrors(localhostProfile, `${path}.localhostProfile`);
  else if (profileTypes.includes(String(type)) && localhostProfile !== undefined) {
    yield invalid(`${path}.localhostProfile`, localhostProfile, 'can only be set when AppArmor type is Localhost');
  }
};

const firstOfContainer = members({ runAsUser: unixId, runAsGroup: unixId, procMount: oneOf('Default', 'Unmasked') });
const lastOfContainer = members({ windowsOptions, appArmorProfile });

function* escalationErrors(context: Fields, path: string): Generator<FieldError> {
  if (context.allowPrivilegeEscalation !== false) return;
  const start = 'cannot set `allowPrivilegeEscalation` to false and';
  if (context.privileged === true)
    yield invalid(path, asGo('core.SecurityContext', context), `${start} \`privileged\` to true`);
  const { add } = fieldsOf(context.capabilities);
  for (const capability of Array.isArray(add) ? add : []) {
    if (capability !== 'CAP_SYS_ADMIN') continue;
    yield invalid(path, asGo('core.SecurityContext', context), `${start} \`capabilities.Add\` CAP_SYS_ADMIN`);
  }
}

/** Validates the security context of a container; `hostUsers` is true without a user namespace of its own. */
export function* containerSecurityErrors(value: unknown, path: string, hostUsers: boolean): Generator<FieldError> {
  const context = fieldsOf(value);
  yield* firstOfContainer(context, path);
  if (hostUsers && context.procMount === 'Unmasked') {
    yield invalid(`${path}.procMount`, context.procMount, '`hostUsers` must be false to use `Unmasked`');
  }
  if (context.seccompProfile !== undefined) yield* seccompProfile(context.seccompProfile, `${path}.seccompProfile`);
  yield* escalationErrors(context, path);
  yield* lastOfContainer(context, path);
}

const sysctlPattern = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;
const sysctlRule =
  'must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';
const ofProcesses: ReadonlySet<string> = new Set(
  ['sem', 'shmall', 'shmmax', 'shmmni', 'shm_rmid_forced', 'shm', 'msgmax', 'msgmnb', 'msgmni', 'msg'].map(
    (name) => `kernel.${name}`,
  ),
);

/** Returns a sysctl's name with dots as separators; dots within an interface's name become slashes. */
function dotted(name: string): string {
  const first = /[./]/.exec(name)?.[0];
  if (first !== '/') return name;
  return name.replace(/[./]/g, (char) => (char === '/' ? '.' : '/'));
}

/** Reports sysctls of host namespaces that the pod shares. */
function* sharedErrors(name: string, path: string, spec: Fields): Generator<FieldError> {
  const [known] = dotted(name).split('*');
  if (spec.hostNetwork === true && known!.startsWith('net.')) {
    yield invalid(path, name, "may not be specified when 'hostNetwork' is true");
  } else if (spec.hostIPC === true && (ofProcesses.has(known!) || known!.startsWith('fs.mqueue.'))) {
    yield invalid(path, name, "may not be specified when 'hostIPC' is true");
  }
}

function* sysctlErrors(sysctls: readonly Fields[], path: string, spec: Fields): Generator<FieldError> {
  const seen = new Set<string>();
  for (const [index, one] of sysctls.entries()) {
    const name = String(one.name ?? '');
    const at = `${path}[${index}].name`;
    if (name === '') yield required(at);
    else if (name.length > 253 || !sysctlPattern.test(name)) yield invalid(at, name, sysctlRule);
    else if (seen.has(name)) yield { type: 'Duplicate', field: at, value: name };
    yield* sharedErrors(name, at, spec);
    seen.add(name);
  }
}

const firstOfPod = members({
  fsGroup: unixId,
  runAsUser: unixId,
  runAsGroup: unixId,
  supplementalGroups: each(unixId),
});

const lastOfPod = members({
  fsGroupChangePolicy: oneOf('Always', 'OnRootMismatch'),
  seccompProfile,
  windowsOptions,
  appArmorProfile,
  supplementalGroupsPolicy: oneOf('Merge', 'Strict'),
  seLinuxChangePolicy: oneOf('Recursive'),
});

/** Validates the security context of a pod. */
export function* podSecurityErrors(spec: Fields, path: string): Generator<FieldError> {
  const context = fieldsOf(spec.securityContext);
  yield* firstOfPod(context, path);
  if (spec.shareProcessNamespace === true && spec.hostPID === true) {
    const detail = 'ShareProcessNamespace and HostPID cannot both be enabled';
    yield invalid(`${path}.shareProcessNamespace`, true, detail);
  }
  if (context.sysctls !== undefined) yield* sysctlErrors(listOf(context.sysctls), `${path}.sysctls`, spec);
  yield* lastOfPod(context, path);
}
