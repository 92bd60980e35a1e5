/** Call that a verb answers: a request with its resource; and the responses that verbs share. */

import type { ApiObject } from '../apimachinery/object.ts';
import { notFound } from '../apimachinery/status.ts';
import type { Form } from '../encoding/negotiation.ts';
import type { Representation } from '../encoding/representation.ts';
import { representedResponse } from '../encoding/representation.ts';
import type { ApiRequest, ApiResponse } from '../requests/message.ts';
import type { ResourcePath } from '../requests/routes.ts';
import { type Resource, storeKeyOf } from '../resources/registry.ts';
import type { KindRules } from '../server/kind-rules.ts';
import type { ServerContext } from '../server/server-context.ts';

/** Request to a resource, with its resolved resource, path and query. */
export interface Call {
  readonly server: ServerContext;
  readonly request: ApiRequest;
  readonly query: URLSearchParams;
  readonly path: ResourcePath;
  readonly resource: Resource;
  readonly form: Form;
  readonly representation: Representation;
  /** Texts of Warning headers; verbs append to it. */
  readonly warnings: string[];
}

/** Result of an accepted write, real or dry run: the stored object and its kind's rules. */
export interface Accepted {
  readonly rules: KindRules;
  readonly object: ApiObject;
  /** State before the write. Left out for new objects, whose warnings are given before they are stored. */
  readonly former?: ApiObject;
}

/** Handler of one call. Throws StatusErrors. */
export type Verb = (call: Call) => ApiResponse | Promise<ApiResponse>;

/** Returns the stored object that the path names. Throws the server's 404. */
export function currentOf({ server, resource, path }: Call): ApiObject {
  const name = path.name ?? '';
  const object = server.store.get(resource.collection, storeKeyOf(path.namespace, name));
  if (object === undefined) throw notFound(resource.info, name);
  return object;
}

/** Returns the answer to an accepted write and adds the kind's warnings to it. */
export function acceptedResponse(call: Call, status: number, { rules, object, former }: Accepted): ApiResponse {
  const shown = call.resource.view(object);
  if (former !== undefined) {
    const written = { former: call.resource.view(former), subresource: call.path.subresource };
    call.warnings.push(...rules.warnings(shown, written));
  }
  return representedResponse(status, call.representation.object(call.resource, shown));
}

/** Returns an answer with one stored object, in the resource's version. */
export const objectResponse = (call: Call, status: number, stored: ApiObject): ApiResponse =>
  representedResponse(status, call.representation.object(call.resource, call.resource.view(stored)));
