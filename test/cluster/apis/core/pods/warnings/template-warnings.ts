/** Warnings of pods, and of workloads with a pod template. */

import { isLabel } from '../../../../apimachinery/name-validation.ts';
import type { Fields } from '../../../../apimachinery/object.ts';
import { fieldsOf } from '../../../../apimachinery/validation/errors.ts';
import type { Warn } from '../../../builtin-kind.ts';
import { podWarnings } from './pod-warnings.ts';

const nameOf = ({ metadata }: Fields): string => String(fieldsOf(metadata).name ?? '');

/** Warns of a name that is not a DNS label; `use` is its use in the message. */
export function* nameWarnings(object: Fields, use: string): Generator<string> {
  const problems = isLabel(nameOf(object));
  if (problems.length === 0) return;
  const effect = 'which can result in surprising behavior; a DNS label is recommended';
  yield `metadata.name: this is used in ${use}, ${effect}: [${problems.join(' ')}]`;
}

/** Use of a workload's name, in warnings. */
export const ofPods = 'Pod names and hostnames';

/** Updates of pods cause no warnings. */
export const podWarn: Warn = function* (object, former) {
  if (former !== undefined) return;
  yield* nameWarnings(object, "the Pod's hostname");
  yield* podWarnings(object);
};

/** Returns the pod template in a spec. */
export const templateIn = (owner: unknown): Fields => fieldsOf(fieldsOf(owner).template);

/** Reports whether the spec has changed, by its generation. */
export const isChanged = ({ metadata }: Fields, former: Fields | undefined): boolean =>
  former === undefined || fieldsOf(metadata).generation !== fieldsOf(former.metadata).generation;

/** Warns of workloads whose pods' names start with theirs. */
export const workloadWarnings: Warn = function* (object, former) {
  if (former === undefined) yield* nameWarnings(object, ofPods);
  if (isChanged(object, former)) yield* podWarnings(templateIn(object.spec), 'spec.template');
};

/** Warns of the template of a PodTemplate. */
export const podTemplateWarn: Warn = function* (object, former) {
  if (isChanged(object, former)) yield* podWarnings(fieldsOf(object.template), 'template');
};
