/** Validates writes to the subresources of pods. */

import type { FieldError } from '../../../apimachinery/field-error.ts';
import { type ApiObject, type Draft, equal, type Fields } from '../../../apimachinery/object.ts';
import { fieldsOf, forbidden, invalid, listOf } from '../../../apimachinery/validation/errors.ts';
import type { ComparingError } from '../../../resources/go-form.ts';
import { mirror } from './annotations.ts';
import { qosClassOf } from './pod-defaults.ts';

type Specs = readonly [now: Fields, before: Fields];

/** Returns the former containers with resized resources; the new ones when names or order differ. */
function resized(now: readonly Fields[], before: readonly Fields[]): readonly Fields[] {
  if (now.some(({ name }, index) => name !== before[index]?.name)) return now;
  return before.map((container, index) => {
    const { resources, resizePolicy } = now[index]!;
    const { resources: _resources, resizePolicy: _policy, ...rest } = container;
    return {
      ...rest,
      ...(resources !== undefined && { resources }),
      ...(resizePolicy !== undefined && { resizePolicy }),
    };
  });
}

const containersOf = (spec: Fields, list: 'containers' | 'initContainers'): readonly Fields[] => listOf(spec[list]);

const areAsMany = (...[now, before]: Specs): boolean =>
  containersOf(now, 'containers').length === containersOf(before, 'containers').length &&
  containersOf(now, 'initContainers').length === containersOf(before, 'initContainers').length;

const specs: Readonly<Record<string, (...specs: Specs) => Fields>> = {
  ephemeralcontainers({ ephemeralContainers }, { ephemeralContainers: _former, ...rest }) {
    return ephemeralContainers === undefined ? rest : { ...rest, ephemeralContainers };
  },
  resize(now, before) {
    if (!areAsMany(now, before)) return now;
    const lists = (['containers', 'initContainers'] as const).filter((list) => before[list] !== undefined);
    const changed = lists.map((list) => [list, resized(containersOf(now, list), containersOf(before, list))]);
    return { ...before, ...Object.fromEntries(changed) };
  },
};

/** Restores the fields that a write to a pod's subresource cannot change. */
export function keepOtherParts(draft: Draft, current: ApiObject, subresource: string | undefined): void {
  const specOf = subresource === undefined ? undefined : specs[subresource];
  if (specOf === undefined) return;
  const [now, before] = [fieldsOf(draft.spec), fieldsOf(current.spec)];
  draft.spec = specOf(now, before);
  if (subresource === 'resize' && !areAsMany(now, before)) return;
  draft.status = current.status;
  const { labels, annotations, finalizers, ownerReferences } = current.metadata;
  for (const [name, value] of Object.entries({ labels, annotations, finalizers, ownerReferences })) {
    if (value === undefined) delete draft.metadata[name as 'labels'];
    else draft.metadata[name as 'labels'] = value as never;
  }
}

/** Validates changed ephemeral containers: existing ones must not change. */
function* ephemeralErrors(...[now, before]: Specs): Generator<ComparingError> {
  const found = new Map(listOf(now.ephemeralContainers).map((container) => [container.name, container]));
  for (const container of listOf(before.ephemeralContainers)) {
    const next = found.get(container.name);
    const existing = `existing ephemeral containers ${JSON.stringify(container.name)} may not be`;
    if (next === undefined) yield forbidden('spec.ephemeralContainers', `${existing} removed\n`);
    else if (!equal(next, container)) {
      const compared = { type: 'core.EphemeralContainer', before: container, after: next };
      yield { ...forbidden('spec.ephemeralContainers', `${existing} changed`), compared };
    }
  }
}

function* orderErrors(...[now, before]: Specs): Generator<FieldError> {
  for (const list of ['containers', 'initContainers'] as const) {
    const [next, former] = [containersOf(now, list), containersOf(before, list)];
    if (next.length !== former.length) {
      yield forbidden(`spec.${list}`, `${list} may not be added or removed on resize`);
      continue;
    }
    for (const [index, { name }] of former.entries()) {
      if (next[index]?.name === name) continue;
      yield forbidden(`spec.${list}[${index}].name`, `${list} may not be renamed or reordered on resize`);
    }
  }
}

const resizable = ['cpu', 'memory'];

const amountsOf = (container: Fields | undefined, list: 'requests' | 'limits'): Fields =>
  fieldsOf(fieldsOf(container?.resources)[list]);

/** Returns a container with only those resources that cannot be resized; newly added lists are exempt. */
function fixedPart({ resources, ...rest }: Fields, former: Fields): Fields {
  const kept = (['requests', 'limits'] as const).flatMap((list) =>
    fieldsOf(former.resources)[list] === undefined
      ? []
      : Object.entries(amountsOf({ resources }, list))
          .filter(([name]) => !resizable.includes(name))
          .map(([name, amount]) => [`${list}.${name}`, amount]),
  );
  return { ...rest, kept: Object.fromEntries(kept) };
}

const isOnlyResized = (next: Fields, former: Fields): boolean =>
  equal(fixedPart(next, former), fixedPart(former, former));

const isSidecar = ({ restartPolicy }: Fields): boolean => restartPolicy === 'Always';

function* amountErrors(...[now, before]: Specs): Generator<FieldError> {
  for (const list of ['initContainers', 'containers'] as const) {
    for (const [index, former] of containersOf(before, list).entries()) {
      if (list === 'initContainers' && !isSidecar(former)) continue;
      for (const kind of ['requests', 'limits'] as const) {
        const next = amountsOf(containersOf(now, list)[index], kind);
        const isGone = Object.keys(amountsOf(former, kind)).some((name) => next[name] === undefined);
        if (isGone) yield forbidden(`spec.${list}[${index}].resources.${kind}`, `resource ${kind} cannot be removed`);
      }
    }
  }
}

/** Reports other changes; a changed resize policy counts too. */
function* otherErrors(...[now, before]: Specs): Generator<FieldError> {
  for (const [index, former] of containersOf(before, 'containers').entries()) {
    const next = containersOf(now, 'containers')[index]!;
    if (!isOnlyResized(next, former)) {
      yield forbidden('spec', 'only cpu and memory resources are mutable');
    }
  }
  for (const [index, former] of containersOf(before, 'initContainers').entries()) {
    const next = containersOf(now, 'initContainers')[index]!;
    if (!isSidecar(former)) {
      if (!equal(next, former)) yield forbidden('spec', 'resources for non-sidecar init containers are immutable');
    } else if (!isOnlyResized(next, former)) {
      yield forbidden('spec', 'only cpu and memory resources for sidecar containers are mutable');
    }
  }
}

/** Reports whether a pod's node supports resizing: its first running container reports resources. */
function canResize({ status }: Fields): boolean {
  const running = listOf(fieldsOf(status).containerStatuses).find(({ state }) => fieldsOf(state).running);
  return running === undefined || running.resources !== undefined;
}

/** Validates a resized pod. */
function* resizeErrors(pod: Fields, old: Fields): Generator<FieldError> {
  const [now, before] = [fieldsOf(pod.spec), fieldsOf(old.spec)];
  const { qosClass = qosClassOf(before) } = fieldsOf(old.status);
  if (qosClass !== qosClassOf(now)) {
    yield invalid('spec', qosClass, 'Pod QOS Class may not change as a result of resizing');
  }
  if (!canResize(old)) yield forbidden('spec', 'Pod running on node without support for resize');
  const order = [...orderErrors(now, before)];
  yield* order;
  if (order.length > 0) return;
  yield* amountErrors(now, before);
  yield* otherErrors(now, before);
}

const isStatic = ({ metadata }: Fields): boolean => fieldsOf(fieldsOf(metadata).annotations)[mirror] !== undefined;

const hasOwnResources = ({ spec }: Fields): boolean => {
  const { limits, requests } = fieldsOf(fieldsOf(spec).resources);
  return Object.keys({ ...fieldsOf(limits), ...fieldsOf(requests) }).length > 0;
};

/** Pods that cannot be resized, with their messages. */
const unsized: readonly (readonly [(pod: Fields, old: Fields) => boolean, string])[] = [
  [(pod, old) => hasOwnResources(pod) || hasOwnResources(old), 'pods with pod-level resources cannot be resized'],
  [(_pod, old) => isStatic(old), 'static pods cannot be resized'],
  [(_pod, old) => fieldsOf(fieldsOf(old.spec).os).name === 'windows', 'windows pods cannot be resized'],
];

/** Rules of a write to a pod's subresource: an unconditional refusal, or else errors. */
interface PartRules {
  readonly refusal: (pod: Fields, old: Fields) => string | undefined;
  readonly errors: (pod: Fields, old: Fields) => Iterable<FieldError>;
}

/** Rules of writes to the subresources of pods, in addition to those of the pod. */
export const partRules: Readonly<Record<'ephemeralcontainers' | 'resize', PartRules>> = {
  ephemeralcontainers: {
    refusal: (_pod, old) => (isStatic(old) ? 'static pods do not support ephemeral containers' : undefined),
    errors: (pod, old) => ephemeralErrors(fieldsOf(pod.spec), fieldsOf(old.spec)),
  },
  resize: {
    refusal: (pod, old) => unsized.find(([isSo]) => isSo(pod, old))?.[1],
    errors: resizeErrors,
  },
};
