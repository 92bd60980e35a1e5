import type { ApiRequest, ApiResponse } from '../http/message.ts';
import type { Form } from '../http/negotiation.ts';
import type { Representation } from '../http/represent.ts';
import { representedResponse } from '../http/represent.ts';
import type { ResourcePath } from '../http/routes.ts';
import type { KindRules } from '../kind-rules.ts';
import type { Machinery } from '../machinery.ts';
import type { ApiObject } from '../objects/object.ts';
import { type Resource, storeKeyOf } from '../registry.ts';
import { notFound } from '../status.ts';

/** One request to one resource, with everything that is known about it. */
export interface Call {
  readonly machinery: Machinery;
  readonly request: ApiRequest;
  readonly query: URLSearchParams;
  readonly path: ResourcePath;
  readonly resource: Resource;
  readonly form: Form;
  readonly representation: Representation;
  /** Texts for Warning headers; verbs add to it. */
  readonly warnings: string[];
}

/** A write that was carried out, or would have been: what is stored, and its kind's rules. */
export interface Accepted {
  readonly rules: KindRules;
  readonly object: ApiObject;
  /** What it replaces; what there is to say about a new one has been said before it was stored. */
  readonly former?: ApiObject;
}

/** Answers one call. Throws StatusErrors. */
export type Verb = (call: Call) => ApiResponse | Promise<ApiResponse>;

/** The current object that the path names, as stored. Throws the server's 404. */
export function currentOf({ machinery, resource, path }: Call): ApiObject {
  const name = path.name ?? '';
  const object = machinery.store.get(resource.collection, storeKeyOf(path.namespace, name));
  if (object === undefined) throw notFound(resource.info, name);
  return object;
}

/** The answer to an accepted write, with what the kind warns about. */
export function acceptedResponse(call: Call, status: number, { rules, object, former }: Accepted): ApiResponse {
  const shown = call.resource.view(object);
  if (former !== undefined) {
    const written = { former: call.resource.view(former), part: call.path.subresource };
    call.warnings.push(...rules.warnings(shown, written));
  }
  return representedResponse(status, call.representation.object(call.resource, shown));
}

/** An answer with one stored object, as the resource's version shows it. */
export const objectResponse = (call: Call, status: number, stored: ApiObject): ApiResponse =>
  representedResponse(status, call.representation.object(call.resource, call.resource.view(stored)));
