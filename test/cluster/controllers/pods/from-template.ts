/** Creates pods from templates. */

import { ownerReferenceTo } from '../../../../sdk/api/object.ts';
import type { ApiObject, Fields } from '../../apimachinery/object.ts';
import type { NewObject } from '../engine/reconciler.ts';

/** Pod template of a workload. */
export interface PodTemplate {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
  };
  readonly spec: Fields;
}

/** Longest prefix of a generated name. */
const maxNameLength = 253;

/** Returns a new pod from its owner's template, with a generated name. */
export function podFrom(owner: ApiObject, template: PodTemplate): NewObject {
  const { labels, annotations, finalizers } = template.metadata ?? {};
  const prefix = `${owner.metadata.name}-`;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: prefix.length > maxNameLength ? owner.metadata.name : prefix,
      namespace: owner.metadata.namespace,
      ...(labels !== undefined && { labels }),
      ...(annotations !== undefined && { annotations }),
      ...(finalizers !== undefined && { finalizers }),
      ownerReferences: [ownerReferenceTo(owner)],
    },
    spec: template.spec,
  };
}
