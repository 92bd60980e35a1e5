/** Record of the members of an external object that a controller has set. */

import { canonicalJson } from '../../api/digest.ts';
import type { KubeObject } from '../../api/object.ts';
import type { Present } from '../reconciler.ts';
import type { Shape } from '../three-way.ts';
import { lastAppliedOf } from './child-change.ts';

/** Record of the members set externally, without their values, in an annotation of the Kubernetes object. */
export interface LastApplied {
  /** Returns the members set before this pass. */
  applied(): Shape;
  /** Records the members; writes only if they changed. */
  record(applied: Shape): Promise<void>;
}

/** Returns the record in one annotation of the object of a request. */
export function lastAppliedFor<T extends KubeObject>(request: Present<T>, annotation: string): LastApplied {
  const { client, kind, key, signal, object } = request;
  const { uid, annotations } = object.metadata;
  let recorded = annotations?.[annotation];
  let before: Shape | undefined;
  return {
    applied() {
      before ??= lastAppliedOf(object, annotation);
      return before;
    },
    async record(applied) {
      const text = canonicalJson(applied);
      if (text === recorded) return;
      const value = { metadata: { uid, annotations: { [annotation]: text } } };
      await client.patch(kind, key, { type: 'merge', value }, { signal, answer: 'metadata' });
      recorded = text;
    },
  };
}
