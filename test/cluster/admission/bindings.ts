import type { Machinery } from '../machinery.ts';
import { type ApiObject, type Fields, isFields } from '../objects/object.ts';
import { type Registry, type Resource, storeKeyOf } from '../registry.ts';
import { selectsLabels } from '../selectors/label-selector.ts';
import { type BoundPolicy, ConfigurationError } from './policies.ts';

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
  /** Of the write; undefined for one of the whole cluster. */
  readonly namespace: string | undefined;
}

const kindOf = (registry: Registry, { apiVersion, kind }: Fields): Resource | undefined =>
  registry.ofKind({ apiVersion: String(apiVersion), kind: String(kind) });

/** Why a policy cannot be used at all; undefined when it can. */
function faultOf({ registry }: Machinery, paramKind: unknown): ConfigurationError | undefined {
  if (!isFields(paramKind) || kindOf(registry, paramKind) !== undefined) return undefined;
  const named = `'${paramKind.apiVersion}, Kind=${paramKind.kind}'`;
  return new ConfigurationError('policy', `failed to find resource referenced by paramKind: ${named}`);
}

/** The objects that a binding's paramRef names, for a write in a namespace. Throws a ConfigurationError. */
function paramsOf({ registry, store }: Machinery, kind: Fields, { reference, namespace }: Referring): Fields[] {
  const resource = kindOf(registry, kind)!;
  const place = resource.info.namespaced ? String(reference.namespace || namespace || '') : undefined;
  if (place === '') {
    const why = 'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources';
    throw new ConfigurationError('binding', why);
  }
  if (place === undefined && reference.namespace) {
    const why = 'paramRef.namespace must not be provided for a cluster-scoped `paramKind`';
    throw new ConfigurationError('binding', why);
  }
  const view = (object: ApiObject): Fields => resource.view(object) as unknown as Fields;
  if (typeof reference.name === 'string' && reference.name !== '') {
    const found = store.get(resource.collection, storeKeyOf(place, reference.name));
    return found === undefined ? [] : [view(found)];
  }
  const { objects } = store.page(resource.collection, { prefix: place === undefined ? '' : `${place}/` });
  return objects.filter(({ metadata }) => selectsLabels(reference.selector, metadata.labels)).map(view);
}

/** The same, where none may be an error of the binding. */
function neededParams(machinery: Machinery, kind: Fields, referring: Referring): Fields[] {
  const params = paramsOf(machinery, kind, referring);
  if (params.length === 0 && referring.reference.parameterNotFoundAction === 'Deny') {
    throw new ConfigurationError('binding', 'no params found for policy binding with `Deny` parameterNotFoundAction');
  }
  return params;
}

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

/** Every policy with every binding of it, by the names of the policies. */
export function policiesIn(machinery: Machinery, namespace: ApiObject | undefined): readonly BoundPolicy[] {
  const { store } = machinery;
  const bindings = store.page(collections.bindings, { prefix: '' }).objects;
  return bindings
    .flatMap((binding) => {
      const { policyName, paramRef } = fieldsOf(binding.spec);
      const policy = store.get(collections.policies, String(policyName));
      if (policy === undefined) return [];
      const { paramKind } = fieldsOf(policy.spec);
      const referring = { reference: fieldsOf(paramRef), namespace: namespace?.metadata.name };
      const hasParams = isFields(paramKind) && isFields(paramRef);
      const params = () => (hasParams ? neededParams(machinery, paramKind, referring) : [null]);
      return [{ policy, binding, params, namespace, fault: faultOf(machinery, paramKind) }];
    })
    .sort((a, b) => (a.policy.metadata.name < b.policy.metadata.name ? -1 : 1));
}
