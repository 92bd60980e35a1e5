/** Matches requests against the verbs, resources and scopes of faults. */

import type { Attributes } from '../requests/attributes.ts';
import type { ApiRequest } from '../requests/message.ts';
import type { Registry, Resource } from '../resources/registry.ts';
import { impossibleFault } from './spec.ts';

/** RBAC verb; `*` is any. */
export type FaultVerb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection' | '*';

/** Scope of a fault; all given members must match. */
export interface FaultScope {
  readonly namespace?: string;
  readonly name?: string;
  /** Name of the user. */
  readonly user?: string;
  /** Substring of the User-Agent header. */
  readonly userAgent?: string;
}

/** Reports whether a request matches. */
export type Matches = (attributes: Attributes, request: ApiRequest) => boolean;

const verbs: Readonly<Record<FaultVerb, true>> = {
  get: true,
  list: true,
  watch: true,
  create: true,
  update: true,
  patch: true,
  delete: true,
  deletecollection: true,
  '*': true,
};

/** Resources and subresource named by a text such as `workspaces/status` or `deployments.apps`. */
interface NamedResources {
  readonly resources: readonly Resource[];
  readonly subresource: string | undefined;
}

function resourcesNamed(registry: Registry, text: string): NamedResources {
  const [qualified = '', subresource] = text.split('/', 2);
  const resources = registry
    .all()
    .filter(({ info }) => qualified === info.plural || qualified === `${info.plural}.${info.group}`);
  if (resources.length > 0) return { resources, subresource };
  const close = registry.all().find(({ info }) => [info.singular, info.kind, ...info.shortNames].includes(qualified));
  const hint =
    close === undefined ? 'apply its CustomResourceDefinition first' : `write ${JSON.stringify(close.info.plural)}`;
  throw impossibleFault(`the cluster serves no ${JSON.stringify(qualified)}: ${hint}`);
}

function checkVerb({ resources, subresource }: NamedResources, verb: FaultVerb, text: string): void {
  if (!(verb in verbs))
    throw impossibleFault(`there is no verb ${JSON.stringify(verb)}, but ${Object.keys(verbs).join(', ')}`);
  const served = resources.flatMap(({ info }) =>
    subresource === undefined
      ? info.verbs
      : info.subresources.filter(({ name }) => name === subresource).flatMap((one) => one.verbs),
  );
  if (served.length === 0) throw impossibleFault(`there is no ${JSON.stringify(text)}`);
  if (verb === '*' || (served as readonly string[]).includes(verb)) return;
  throw impossibleFault(`no client can ${verb} ${text}, but ${[...new Set(served)].join(', ')} it`);
}

function checkScope({ resources }: NamedResources, verb: FaultVerb, { namespace, name }: FaultScope): void {
  if (namespace !== undefined && resources.every(({ info }) => !info.namespaced)) {
    throw impossibleFault(`${resources[0]!.info.plural} are in no namespace`);
  }
  if (name !== undefined && (verb === 'create' || verb === 'deletecollection')) {
    throw impossibleFault(`a ${verb} has no name in its path: leave the name out`);
  }
}

/** Builds a matcher of requests. Throws a TypeError, with a hint, when no request could ever match. */
export function matcherOf(registry: Registry, verb: FaultVerb, resource: string): (scope: FaultScope) => Matches {
  if (resource === '*') {
    if (!(verb in verbs)) checkVerb({ resources: [], subresource: undefined }, verb, resource);
    return (scope) => (attributes, request) =>
      attributes.resource !== undefined &&
      (verb === '*' || attributes.verb === verb) &&
      isInScopeOf(scope, attributes, request);
  }
  const named = resourcesNamed(registry, resource);
  checkVerb(named, verb, resource);
  return (scope) => {
    checkScope(named, verb, scope);
    return (attributes, request) => {
      const path = attributes.resource;
      if (path === undefined || (verb !== '*' && attributes.verb !== verb)) return false;
      if (path.subresource !== named.subresource) return false;
      const isNamed = named.resources.some(
        ({ info, apiVersion }) => info.plural === path.plural && apiVersion === path.apiVersion,
      );
      return isNamed && isInScopeOf(scope, attributes, request);
    };
  };
}

/** Reports whether a request is in a scope. */
export function isInScopeOf(
  { namespace, name, user, userAgent }: FaultScope,
  attributes: Attributes,
  request: ApiRequest,
): boolean {
  return (
    (namespace === undefined || attributes.namespace === namespace) &&
    (name === undefined || attributes.name === name) &&
    (user === undefined || request.user.name === user) &&
    (userAgent === undefined || (request.headers['user-agent'] ?? '').includes(userAgent))
  );
}
