import { ownerReferenceTo } from '../../../../sdk/api/object.ts';
import type { ApiObject, Fields } from '../../objects/object.ts';
import type { NewObject } from '../reconciler.ts';

/** What a workload says about its pods. */
export interface PodTemplate {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
  };
  readonly spec: Fields;
}

/** How long a prefix may be so that a generated name fits. */
const longestName = 253;

/** A new pod as its owner's template has it; the server names it after the owner. */
export function podFrom(owner: ApiObject, template: PodTemplate): NewObject {
  const { labels, annotations, finalizers } = template.metadata ?? {};
  const prefix = `${owner.metadata.name}-`;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: prefix.length > longestName ? owner.metadata.name : prefix,
      namespace: owner.metadata.namespace,
      ...(labels !== undefined && { labels }),
      ...(annotations !== undefined && { annotations }),
      ...(finalizers !== undefined && { finalizers }),
      ownerReferences: [ownerReferenceTo(owner)],
    },
    spec: template.spec,
  };
}
