/** Validates the annotations of pods. */

import type { FieldError } from '../../../../apimachinery/field-error.ts';
import { quoted } from '../../../../apimachinery/field-error.ts';
import type { Fields } from '../../../../apimachinery/object.ts';
import { fieldsOf, forbidden, invalid } from '../../../../apimachinery/validation/checks.ts';
import { appArmorPrefix, mirror, seccompPrefix } from '../annotations.ts';
import { containersOf } from '../containers-of.ts';
import { descendingPath } from './path-rules.ts';
import { tolerations } from './placement-rules.ts';

const deletionCost = 'controller.kubernetes.io/pod-deletion-cost';
const tolerated = 'scheduler.alpha.kubernetes.io/tolerations';
const seccompOfPod = 'seccomp.security.alpha.kubernetes.io/pod';

function* toleratedErrors(text: string, path: string): Generator<FieldError> {
  try {
    yield* tolerations(JSON.parse(text), `${path}.${tolerated}`);
  } catch (error) {
    yield invalid(path, tolerated, error instanceof Error ? error.message : String(error));
  }
}

const isNumber32 = (text: string): boolean =>
  /^(-\d+|0|[1-9]\d*)$/.test(text) && Number(text) < 2 ** 31 && Number(text) >= -(2 ** 31);

const localProfile = 'localhost/';

function* seccompErrors(text: string, path: string): Generator<FieldError> {
  if (text.startsWith(localProfile)) yield* descendingPath(text.slice(localProfile.length), path);
  else if (!['runtime/default', 'docker/default', 'unconfined'].includes(text)) {
    yield invalid(path, text, 'must be a valid seccomp profile');
  }
}

function* appArmorErrors(text: string, path: string, names: readonly [string, Fields]): Generator<FieldError> {
  const [name, spec] = names;
  if (![...containersOf(spec, '')].some(([one]) => one.name === name)) yield invalid(path, name, 'container not found');
  if (['', 'runtime/default', 'unconfined'].includes(text) || text.startsWith(localProfile)) return;
  yield invalid(path, text, `invalid AppArmor profile name: ${quoted(text)}`);
}

/** Validates annotations that have a meaning for pods. */
export function* podAnnotationErrors(annotations: unknown, path: string, spec: Fields): Generator<FieldError> {
  if (annotations === undefined) return;
  const known = fieldsOf(annotations) as Readonly<Record<string, string>>;
  if (known[mirror] !== undefined && !spec.nodeName) {
    yield invalid(`${path}[${mirror}]`, known[mirror], 'must set spec.nodeName if mirror pod annotation is set');
  }
  if (known[tolerated]) yield* toleratedErrors(known[tolerated], path);
  const cost = known[deletionCost];
  if (cost !== undefined && !isNumber32(cost)) {
    yield invalid(`${path}[${deletionCost}]`, cost, 'must be a 32bit integer');
  }
  if (known[seccompOfPod] !== undefined) yield* seccompErrors(known[seccompOfPod], `${path}.${seccompOfPod}`);
  for (const [key, text] of Object.entries(known)) {
    if (key.startsWith(seccompPrefix)) yield* seccompErrors(text, `${path}.${key}`);
  }
  for (const [key, text] of Object.entries(known)) {
    if (!key.startsWith(appArmorPrefix)) continue;
    yield* appArmorErrors(text, `${path}[${key}]`, [key.slice(appArmorPrefix.length), spec]);
  }
}

/** Security profile in an annotation and in its field. */
interface Twice {
  readonly text: string | undefined;
  readonly profile: unknown;
  readonly what: 'seccomp' | 'apparmor';
  readonly defaults: readonly string[];
}

function* matchErrors({ text, profile, what, defaults }: Twice, path: string): Generator<FieldError> {
  if (text === undefined || profile === undefined) return;
  const { type, localhostProfile } = fieldsOf(profile);
  const isOther =
    (type === 'Unconfined' && text !== 'unconfined') ||
    (type === 'RuntimeDefault' && !defaults.includes(text)) ||
    (type === 'Localhost' && !text.startsWith(localProfile));
  if (isOther) yield forbidden(`${path}.type`, `${what} type in annotation and field must match`);
  else if (type === 'Localhost' && text.slice(localProfile.length) !== localhostProfile) {
    yield forbidden(`${path}.localhostProfile`, `${what} profile in annotation and field must match`);
  }
}

/** Reports security profiles whose annotation and field differ. */
export function* profileErrors(metadata: unknown, spec: Fields, path: string): Generator<FieldError> {
  const { annotations } = fieldsOf(metadata);
  if (annotations === undefined) return;
  const known = fieldsOf(annotations) as Readonly<Record<string, string>>;
  const ofPod = fieldsOf(spec.securityContext);
  const seccomp = { what: 'seccomp', defaults: ['runtime/default', 'docker/default'] } as const;
  const appArmor = { what: 'apparmor', defaults: ['runtime/default'] } as const;
  const own = { text: known[seccompOfPod], profile: ofPod.seccompProfile };
  yield* matchErrors({ ...own, ...seccomp }, `${path}.securityContext.seccompProfile`);
  for (const [{ name, securityContext }, at] of containersOf(spec, path)) {
    const both = { text: known[seccompPrefix + name], profile: fieldsOf(securityContext).seccompProfile };
    yield* matchErrors({ ...both, ...seccomp }, `${at}.securityContext.seccompProfile`);
  }
  if (fieldsOf(spec.os).name === 'windows') return;
  for (const [{ name, securityContext }, at] of containersOf(spec, path)) {
    const profile = fieldsOf(securityContext).appArmorProfile ?? ofPod.appArmorProfile;
    const both = { text: known[appArmorPrefix + name], profile };
    yield* matchErrors({ ...both, ...appArmor }, `${at}.securityContext.appArmorProfile`);
  }
}
