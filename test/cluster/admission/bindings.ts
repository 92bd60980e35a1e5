import type { Machinery } from '../machinery.ts';
import { type ApiObject, type Fields, isFields } from '../objects/object.ts';
import { storeKeyOf } from '../registry.ts';
import { selectsLabels } from '../selectors/label-selector.ts';
import type { BoundPolicy } from './policies.ts';

const group = 'admissionregistration.k8s.io';

/** Where configurations of webhooks and policies are stored. */
export const collections = {
  mutating: `${group}/mutatingwebhookconfigurations`,
  validating: `${group}/validatingwebhookconfigurations`,
  policies: `${group}/validatingadmissionpolicies`,
  bindings: `${group}/validatingadmissionpolicybindings`,
} as const;

/** The webhooks of all configurations, in the order of the configurations' names. */
export const webhooksIn = ({ store }: Machinery, collection: string): readonly Fields[] =>
  store
    .page(collection, { prefix: '' })
    .objects.flatMap(({ webhooks }) => (Array.isArray(webhooks) ? (webhooks as Fields[]) : []));

interface Referring {
  /** A paramRef. */
  readonly reference: Fields;
  /** Of the write. */
  readonly namespace: string;
}

/** The objects that a binding's paramRef names, for a write in a namespace. */
function paramsOf({ registry, store }: Machinery, kind: Fields, { reference, namespace }: Referring): Fields[] {
  const resource = registry.ofKind({ apiVersion: String(kind.apiVersion), kind: String(kind.kind) });
  if (resource === undefined) return [];
  const place = resource.info.namespaced ? String(reference.namespace ?? namespace) : undefined;
  if (typeof reference.name === 'string' && reference.name !== '') {
    const found = store.get(resource.collection, storeKeyOf(place, reference.name));
    return found === undefined ? [] : [resource.view(found) as unknown as Fields];
  }
  const { objects } = store.page(resource.collection, { prefix: place === undefined ? '' : `${place}/` });
  return objects
    .filter(({ metadata }) => selectsLabels(reference.selector, metadata.labels))
    .map((object) => resource.view(object) as unknown as Fields);
}

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

/** Every policy with every binding of it. */
export function policiesIn(machinery: Machinery, namespace: ApiObject | undefined): readonly BoundPolicy[] {
  const { store } = machinery;
  return store.page(collections.bindings, { prefix: '' }).objects.flatMap((binding) => {
    const { policyName, paramRef } = fieldsOf(binding.spec);
    const policy = store.get(collections.policies, String(policyName));
    if (policy === undefined) return [];
    const { paramKind } = fieldsOf(policy.spec);
    const params = isFields(paramKind)
      ? paramsOf(machinery, paramKind, { reference: fieldsOf(paramRef), namespace: namespace?.metadata.name ?? '' })
      : [null];
    return [{ policy, binding, params, namespace }];
  });
}
