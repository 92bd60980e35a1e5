/** Defaults of Jobs. */

import { type DefaultRule, fieldsOf, isEmpty, withMissing } from '../../resources/defaulting.ts';

const specDefaults: DefaultRule = (spec) => {
  const { completions, parallelism, podFailurePolicy, backoffLimitPerIndex } = spec;
  return withMissing(spec, {
    completions: parallelism === undefined && completions === undefined ? 1 : undefined,
    parallelism: 1,
    backoffLimit: backoffLimitPerIndex === undefined ? 6 : 2 ** 31 - 1,
    completionMode: 'NonIndexed',
    suspend: false,
    manualSelector: false,
    podReplacementPolicy: podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed',
  });
};

/** A Job without labels gets those of its pods; labels that are generated on creation are added later. */
export const jobDefaults: DefaultRule = (value) => {
  const spec = specDefaults(fieldsOf(value.spec));
  const { labels } = fieldsOf(fieldsOf(spec.template).metadata);
  const metadata = fieldsOf(value.metadata);
  const isBeingMade = metadata.uid !== undefined && metadata.resourceVersion === undefined;
  const inherits = isEmpty(metadata.labels) && !isEmpty(labels) && !isBeingMade;
  return { ...value, spec, ...(inherits && { metadata: { ...metadata, labels } }) };
};
