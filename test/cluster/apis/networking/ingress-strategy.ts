/** Create strategy of Ingresses: sets the default IngressClass. */

import { type ApiObject, isFields } from '../../apimachinery/object.ts';
import type { Strategy } from '../../server/strategy.ts';

const isDefault = ({ metadata }: ApiObject): boolean =>
  metadata.annotations?.['ingressclass.kubernetes.io/is-default-class'] === 'true';

/** Orders objects by age, youngest first; equally old ones by name. */
const byAge = ({ metadata: a }: ApiObject, { metadata: b }: ApiObject): number => {
  const [since, other] = [a, b].map(({ creationTimestamp = '' }) => creationTimestamp) as [string, string];
  if (since !== other) return since < other ? 1 : -1;
  return a.name < b.name ? -1 : 1;
};

/** Ingresses without a class get the default one. */
export const ingressStrategy: Strategy = {
  prepareForCreate({ store }, draft) {
    const spec = isFields(draft.spec) ? draft.spec : {};
    const isNamed = draft.metadata.annotations?.['kubernetes.io/ingress.class'] !== undefined;
    if (isNamed || spec.ingressClassName !== undefined) return;
    const classes = store.page('networking.k8s.io/ingressclasses', { prefix: '' }).objects;
    const [first] = classes.filter(isDefault).sort(byAge);
    if (first !== undefined) draft.spec = { ...spec, ingressClassName: first.metadata.name };
  },
};
