/** Creation and deletion of Namespaces. */

import { type ApiObject, type Draft, isFields } from '../../apimachinery/object.ts';
import { conflict, forbidden } from '../../apimachinery/status.ts';
import type { Strategy } from '../../server/strategy.ts';

const nameLabel = 'kubernetes.io/metadata.name';
const finalizer = 'kubernetes';
const permanent: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

/** Returns the finalizers in a namespace's spec. */
export const specFinalizersOf = ({ spec }: Draft | ApiObject): readonly string[] =>
  isFields(spec) && Array.isArray(spec.finalizers) ? (spec.finalizers as string[]) : [];

const withFinalizers = (spec: unknown, finalizers: readonly string[]): object => {
  const { finalizers: _before, ...others } = isFields(spec) ? spec : {};
  return finalizers.length === 0 ? others : { ...others, finalizers };
};

function label(draft: Draft): void {
  const { name = '', labels } = draft.metadata;
  draft.metadata.labels = { ...labels, [nameLabel]: name };
}

/** Namespaces: a finalizer in the spec, a phase, a label with the name, and some that cannot be deleted. */
export const namespaceStrategy: Strategy = {
  prepareForCreate(_server, draft) {
    const finalizers = specFinalizersOf(draft);
    draft.spec = withFinalizers(draft.spec, finalizers.includes(finalizer) ? finalizers : [...finalizers, finalizer]);
    draft.status = { phase: 'Active' };
    if (draft.metadata.name) label(draft);
  },
  prepareForUpdate(draft, current, subresource) {
    if (subresource === 'finalize') {
      const finalizers = specFinalizersOf(draft);
      draft.status = current.status;
      draft.metadata = { ...current.metadata };
      draft.spec = withFinalizers(current.spec, finalizers);
    } else draft.spec = current.spec;
    label(draft);
  },
  validateDelete({ metadata: { name } }) {
    if (permanent.has(name)) {
      throw forbidden({ group: '', plural: 'namespaces' }, name, { why: 'this namespace may not be deleted' });
    }
  },
  ignoresRepeatedDelete: true,
  checkPreconditions({ info }, { metadata }, { preconditions = {} }) {
    const texts = { uid: 'UID', resourceVersion: 'ResourceVersion' } as const;
    for (const name of ['uid', 'resourceVersion'] as const) {
      const [wanted, found] = [preconditions[name], metadata[name]];
      if (wanted === undefined || wanted === found) continue;
      const why = `${texts[name]} in precondition: ${wanted}, ${texts[name]} in object meta: ${found}`;
      throw conflict(info, metadata.name, `Precondition failed: ${why}`);
    }
  },
  markDeleted(_server, draft) {
    delete draft.metadata.deletionGracePeriodSeconds;
    draft.status = { ...(draft.status as object), phase: 'Terminating' };
  },
  canRemove: (draft) => specFinalizersOf(draft).length === 0,
};
