/** Validates the annotations of pods. */

import type { FieldError } from '../../../../apimachinery/field-error.ts';
import { quoted } from '../../../../apimachinery/field-error.ts';
import type { Fields } from '../../../../apimachinery/object.ts';
import { fieldsOf, forbidden, invalid } from '../../../../apimachinery/validation/errors.ts';
import { appArmorPrefix, mirror, seccompPrefix } from '../annotations.ts';
import { containersOf } from '../containers-of.ts';
import { descendingPath } from './path-rules.ts';
import { tolerations } from './placement-rules.ts';

const deletionCost = 'controller.kubernetes.io/pod-deletion-cost';
const tolerated = 'scheduler.alpha.kubernetes.io/tolerations';
const seccompOfPod = 'seccomp.security.alpha.kubernetes.io/pod';

/** Validates an annotation that has a meaning for pods; `path` is that of all annotations. */
type AnnotationRule = (
  text: string,
  path: string,
  pod: { readonly key: string; readonly spec: Fields },
) => Iterable<FieldError>;

function* mirrorErrors(text: string, path: string, { spec }: { readonly spec: Fields }): Generator<FieldError> {
  if (spec.nodeName) return;
  yield invalid(`${path}[${mirror}]`, text, 'must set spec.nodeName if mirror pod annotation is set');
}

function* toleratedErrors(text: string, path: string): Generator<FieldError> {
  if (text === '') return;
  try {
    yield* tolerations(JSON.parse(text), `${path}.${tolerated}`);
  } catch (error) {
    yield invalid(path, tolerated, error instanceof Error ? error.message : String(error));
  }
}

const isNumber32 = (text: string): boolean =>
  /^(-\d+|0|[1-9]\d*)$/.test(text) && Number(text) < 2 ** 31 && Number(text) >= -(2 ** 31);

function* deletionCostErrors(text: string, path: string): Generator<FieldError> {
  if (!isNumber32(text)) yield invalid(`${path}[${deletionCost}]`, text, 'must be a 32bit integer');
}

const localProfile = 'localhost/';

function* seccompErrors(text: string, path: string, { key }: { readonly key: string }): Generator<FieldError> {
  const at = `${path}.${key}`;
  if (text.startsWith(localProfile)) yield* descendingPath(text.slice(localProfile.length), at);
  else if (!['runtime/default', 'docker/default', 'unconfined'].includes(text)) {
    yield invalid(at, text, 'must be a valid seccomp profile');
  }
}

const appArmorErrors: AnnotationRule = function* (text, path, { key, spec }) {
  const [at, name] = [`${path}[${key}]`, key.slice(appArmorPrefix.length)];
  if (![...containersOf(spec, '')].some(([one]) => one.name === name)) yield invalid(at, name, 'container not found');
  if (['', 'runtime/default', 'unconfined'].includes(text) || text.startsWith(localProfile)) return;
  yield invalid(at, text, `invalid AppArmor profile name: ${quoted(text)}`);
};

/** Rules of annotations by key, in the server's order. */
const annotationRules: readonly (readonly [key: string, rule: AnnotationRule])[] = [
  [mirror, mirrorErrors],
  [tolerated, toleratedErrors],
  [deletionCost, deletionCostErrors],
  [seccompOfPod, seccompErrors],
];

/** Rules of annotations for a container, by the prefix of its name. */
const containerRules: readonly (readonly [prefix: string, rule: AnnotationRule])[] = [
  [seccompPrefix, seccompErrors],
  [appArmorPrefix, appArmorErrors],
];

/** Validates annotations that have a meaning for pods. */
export function* podAnnotationErrors(annotations: unknown, path: string, spec: Fields): Generator<FieldError> {
  if (annotations === undefined) return;
  const known = fieldsOf(annotations) as Readonly<Record<string, string>>;
  for (const [key, rule] of annotationRules) {
    if (known[key] !== undefined) yield* rule(known[key], path, { key, spec });
  }
  for (const [prefix, rule] of containerRules) {
    for (const [key, text] of Object.entries(known)) if (key.startsWith(prefix)) yield* rule(text, path, { key, spec });
  }
}

/** Security profile in an annotation and in its field. */
interface Twice {
  readonly text: string | undefined;
  readonly profile: unknown;
  readonly what: 'seccomp' | 'apparmor';
  readonly defaults: readonly string[];
}

/** Reports whether a text stands for a type of profile, by type. */
const isOfType: ReadonlyMap<unknown, (text: string, defaults: readonly string[]) => boolean> = new Map([
  ['Unconfined', (text: string) => text === 'unconfined'],
  ['RuntimeDefault', (text: string, defaults: readonly string[]) => defaults.includes(text)],
  ['Localhost', (text: string) => text.startsWith(localProfile)],
]);

function* matchErrors({ text, profile, what, defaults }: Twice, path: string): Generator<FieldError> {
  if (text === undefined || profile === undefined) return;
  const { type, localhostProfile } = fieldsOf(profile);
  if (isOfType.get(type)?.(text, defaults) === false)
    yield forbidden(`${path}.type`, `${what} type in annotation and field must match`);
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
