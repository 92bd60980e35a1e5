/** Create and update strategy of Jobs. */

import { type Draft, type Fields, isFields, valueAt } from '../../apimachinery/object.ts';
import type { Strategy } from '../../server/strategy.ts';

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

type Labels = Record<string, string>;

const labelsAt = (draft: Draft): Labels => fieldsOf(valueAt(draft.spec, ['template', 'metadata', 'labels'])) as Labels;

const sorted = <V>(labels: Readonly<Record<string, V>>): Record<string, V> =>
  Object.fromEntries(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));

/**
 * Generates the selector and labels of a Job from its uid, unless it selects manually. Given values are kept, and
 * rejected by validation where they differ.
 */
function selectOwn(draft: Draft): void {
  const spec = fieldsOf(draft.spec);
  if (spec.manualSelector === true) return;
  const { name, uid } = draft.metadata;
  const given = labelsAt(draft);
  const own = {
    'batch.kubernetes.io/controller-uid': uid!,
    'batch.kubernetes.io/job-name': name!,
    'controller-uid': uid!,
    'job-name': name!,
  };
  const labels = sorted({ ...own, ...given });
  const [template, selector] = [fieldsOf(spec.template), fieldsOf(spec.selector)];
  const matchLabels = sorted({ 'batch.kubernetes.io/controller-uid': uid, ...fieldsOf(selector.matchLabels) });
  draft.spec = {
    ...spec,
    selector: { ...selector, matchLabels },
    template: { ...template, metadata: { ...fieldsOf(template.metadata), labels } },
  };
  const isBare = Object.keys(draft.metadata.labels ?? {}).length === 0;
  if (isBare && Object.keys(given).length > 0) draft.metadata.labels = labels;
}

/** Jobs: a selector is generated, and labels default to those of the pods. */
export const jobStrategy: Strategy = {
  prepareForCreate: (_server, draft) => selectOwn(draft),
  allocate(_server, draft, current) {
    if (current !== undefined || draft.metadata.labels !== undefined) return;
    draft.metadata.labels = { ...labelsAt(draft) };
  },
};
