import { equal, isFields } from '../../apimachinery/object.ts';
import type { Strategy } from '../../server/strategy.ts';

const generation = 'deprecated.daemonset.template.generation';

/** DaemonSets: an annotation counts the changes of their template. */
export const daemonSetStrategy: Strategy = {
  allocate(_machinery, draft, current) {
    if (current === undefined) return;
    const [now, before] = [draft.spec, current.spec].map((spec) => (isFields(spec) ? spec.template : undefined));
    const count = Number(current.metadata.annotations?.[generation] ?? 1);
    const next = String(equal(now, before) ? count : count + 1);
    draft.metadata.annotations = { ...draft.metadata.annotations, [generation]: next };
  },
};
