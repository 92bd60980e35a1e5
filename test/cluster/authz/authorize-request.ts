/** Impersonation and authorization of requests. */

import { parseApiVersion } from '../../../sdk/api/kind.ts';
import { failure, forbidden, type StatusError } from '../apimachinery/status.ts';
import { impersonationOf, userlessFault } from '../authn/impersonation.ts';
import { textResponse } from '../encoding/representation.ts';
import { type Attributes, attributesOf } from '../requests/attributes.ts';
import type { ApiRequest, ApiResponse, User } from '../requests/message.ts';
import type { Action, Authorizer } from '../server/authorizer.ts';
import type { ServerContext } from '../server/server-context.ts';

/** Returns the action of a request, to authorize. */
function actionOf({ verb, path, resource, namespace, name }: Attributes): Action {
  if (resource === undefined) return { verb, path };
  const { group } = parseApiVersion(resource.apiVersion);
  return {
    verb,
    group,
    resource: resource.plural,
    ...(resource.subresource !== undefined && { subresource: resource.subresource }),
    ...(namespace !== undefined && { namespace }),
    ...(name !== undefined && { name }),
  };
}

/** Builds the server's 403 of an action. */
function refusal({ name: user }: User, action: Action, reason: string): StatusError {
  const because = reason === '' ? '' : `: ${reason}`;
  const who = `User ${JSON.stringify(user)} cannot`;
  if ('path' in action) {
    return failure('Forbidden', `forbidden: ${who} ${action.verb} path ${JSON.stringify(action.path)}${because}`, {});
  }
  const { verb, group, resource, subresource, namespace, name = '' } = action;
  const what = JSON.stringify(subresource ? `${resource}/${subresource}` : resource);
  const where = namespace === undefined ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  const why = `${who} ${verb} resource ${what} in API group ${JSON.stringify(group)} ${where}${because}`;
  return forbidden({ group, plural: resource }, name, { why });
}

/** Throws the server's 403 unless the action is allowed. */
function requireAllowed(authorizer: Authorizer, user: User, action: Action): void {
  const { allowed, reason } = authorizer.decide(user, action);
  if (!allowed) throw refusal(user, action, reason);
}

const hasNoImpersonation = ({ headers }: ApiRequest): boolean => {
  for (const name in headers) if (name.startsWith('impersonate-')) return false;
  return true;
};

/**
 * Admits a request: checks impersonation, then whether the effective user is allowed the action.
 * Returns an answer to end the request early. Throws the server's 403.
 */
export function authorizeRequest({ authorizer }: ServerContext, request: ApiRequest): ApiRequest | ApiResponse {
  if (authorizer.isOpen && hasNoImpersonation(request)) return request;
  const fault = userlessFault(request);
  if (fault !== undefined) return textResponse(500, fault);
  const impersonation = impersonationOf(request);
  for (const need of impersonation?.needs ?? []) requireAllowed(authorizer, request.user, need);
  const user = impersonation?.user ?? request.user;
  if (!authorizer.isOpen) requireAllowed(authorizer, user, actionOf(attributesOf(request.method, request.url)));
  return { ...request, user };
}

/** Reports whether {@link authorizeRequest} has returned an answer. */
export const isResponse = (entered: ApiRequest | ApiResponse): entered is ApiResponse => 'status' in entered;
