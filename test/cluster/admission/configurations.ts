/** Reads webhook and policy configurations, and resolves the parameters of policy bindings. */

import { type ApiObject, type Fields, isFields } from '../apimachinery/object.ts';
import { selectsLabels } from '../apimachinery/selectors/match-label-selector.ts';
import { type Registry, type Resource, storeKeyOf } from '../resources/registry.ts';
import type { ServerContext } from '../server/server-context.ts';
import { type BoundPolicy, ConfigurationError } from './policies.ts';

const group = 'admissionregistration.k8s.io';

/** Collections of webhook and policy configurations. */
export const collections = {
  mutating: `${group}/mutatingwebhookconfigurations`,
  validating: `${group}/validatingwebhookconfigurations`,
  policies: `${group}/validatingadmissionpolicies`,
  bindings: `${group}/validatingadmissionpolicybindings`,
} as const;

/** Returns the webhooks of all configurations, ordered by configuration name. */
export const webhooksIn = ({ store }: ServerContext, collection: string): readonly Fields[] =>
  store
    .page(collection, { prefix: '' })
    .objects.flatMap(({ webhooks }) => (Array.isArray(webhooks) ? (webhooks as Fields[]) : []));

interface ParamReference {
  /** The binding's paramRef. */
  readonly reference: Fields;
  /** Namespace of the write; undefined for cluster-scoped writes. */
  readonly namespace: string | undefined;
}

const kindOf = (registry: Registry, { apiVersion, kind }: Fields): Resource | undefined =>
  registry.ofKind({ apiVersion: String(apiVersion), kind: String(kind) });

/** Returns the error of a policy whose paramKind is not served, if any. */
function faultOf({ registry }: ServerContext, paramKind: unknown): ConfigurationError | undefined {
  if (!isFields(paramKind) || kindOf(registry, paramKind) !== undefined) return undefined;
  const named = `'${paramKind.apiVersion}, Kind=${paramKind.kind}'`;
  return new ConfigurationError('policy', `failed to find resource referenced by paramKind: ${named}`);
}

/** Returns the namespace of the objects of a paramRef; undefined for cluster-scoped ones. Throws a ConfigurationError. */
function paramsNamespace({ info }: Resource, { reference, namespace }: ParamReference): string | undefined {
  if (info.namespaced) {
    if (reference.namespace || namespace) return String(reference.namespace || namespace);
    const why = 'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources';
    throw new ConfigurationError('binding', why);
  }
  if (!reference.namespace) return undefined;
  const why = 'paramRef.namespace must not be provided for a cluster-scoped `paramKind`';
  throw new ConfigurationError('binding', why);
}

/** Resolves the objects of a paramRef. Throws a ConfigurationError for an invalid one. */
function paramsOf({ registry, store }: ServerContext, kind: Fields, referring: ParamReference): Fields[] {
  const { reference } = referring;
  const resource = kindOf(registry, kind)!;
  const namespace = paramsNamespace(resource, referring);
  const view = (object: ApiObject): Fields => resource.view(object) as unknown as Fields;
  if (typeof reference.name === 'string' && reference.name !== '') {
    const found = store.get(resource.collection, storeKeyOf(namespace, reference.name));
    return found === undefined ? [] : [view(found)];
  }
  const { objects } = store.page(resource.collection, { prefix: namespace === undefined ? '' : `${namespace}/` });
  return objects.filter(({ metadata }) => selectsLabels(reference.selector, metadata.labels)).map(view);
}

/** Like {@link paramsOf}, but throws where `parameterNotFoundAction` is Deny and none is found. */
function requiredParams(server: ServerContext, kind: Fields, referring: ParamReference): Fields[] {
  const params = paramsOf(server, kind, referring);
  if (params.length === 0 && referring.reference.parameterNotFoundAction === 'Deny') {
    throw new ConfigurationError('binding', 'no params found for policy binding with `Deny` parameterNotFoundAction');
  }
  return params;
}

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

/** Returns every policy with each of its bindings, ordered by policy name. */
export function policiesIn(server: ServerContext, namespace: ApiObject | undefined): readonly BoundPolicy[] {
  const { store } = server;
  const bindings = store.page(collections.bindings, { prefix: '' }).objects;
  return bindings
    .flatMap((binding) => {
      const { policyName, paramRef } = fieldsOf(binding.spec);
      const policy = store.get(collections.policies, String(policyName));
      if (policy === undefined) return [];
      const { paramKind } = fieldsOf(policy.spec);
      const referring = { reference: fieldsOf(paramRef), namespace: namespace?.metadata.name };
      const hasParams = isFields(paramKind) && isFields(paramRef);
      const params = () => (hasParams ? requiredParams(server, paramKind, referring) : [null]);
      return [{ policy, binding, params, namespace, fault: faultOf(server, paramKind) }];
    })
    .sort((a, b) => (a.policy.metadata.name < b.policy.metadata.name ? -1 : 1));
}
