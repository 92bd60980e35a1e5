/** Warns of deprecated node labels. */

import { ownMember } from '../../apimachinery/object.ts';
import { listOf } from '../../apimachinery/validation/errors.ts';

/** Deprecated node labels, with their messages. */
const oldLabels: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  'app.kubernetes.io/created-by': 'deprecated since v1.9',
  'scheduler.alpha.kubernetes.io/preferAvoidPods': 'deprecated since v1.22; use Taints and Tolerations instead',
  'node-role.kubernetes.io/master': 'use "node-role.kubernetes.io/control-plane" instead',
};

/** Returns the message of a deprecated node label; undefined for others. */
export const deprecationOf = (label: unknown): string | undefined => ownMember(oldLabels, label);

/** Returns the warnings for expressions over node labels. */
export function* expressionWarnings(expressions: unknown, path: string): Generator<string> {
  for (const [index, { key }] of listOf(expressions).entries()) {
    const old = deprecationOf(key);
    if (old !== undefined) yield `${path}[${index}].key: ${key} is ${old}`;
  }
}
