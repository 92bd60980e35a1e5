/** Reads reviews, which are created but not stored, and answers them. */

import {
  type ApiObject,
  type Draft,
  type DraftMeta,
  type Fields,
  freeze,
  isFields,
} from '../../apimachinery/object.ts';
import { representedResponse } from '../../encoding/representation.ts';
import type { ApiResponse } from '../../requests/message.ts';
import { decodeBody, rulesOf } from '../decode.ts';
import { managedFieldsOf } from '../managed-fields.ts';
import { writeOptionsOf } from '../parameters.ts';
import type { Call } from '../resource-call.ts';

/** Body of a review. */
export interface Review {
  /** Metadata, with managedFields. */
  readonly metadata: Fields;
  readonly spec: Fields;
  readonly status: Fields;
}

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

/** Decodes the review in a request. Rejects with the server's 400, 413, 415 and 422. */
export async function readReview(call: Call): Promise<Review> {
  const { query, resource } = call;
  const rules = await rulesOf(call);
  const options = writeOptionsOf(query, 'CreateOptions');
  const draft = await decodeBody(call, rules, options);
  const { managedFields: sent, ...given } = draft.metadata;
  if (!resource.info.namespaced) delete given.namespace;
  const next = rules.defaults({ ...draft, metadata: { ...given } }) as Draft;
  const managedFields = managedFieldsOf(call, rules, options.fieldManager)({ live: undefined, next, sent });
  const { name, generateName, namespace, ...others } = given;
  const head = Object.entries({ name, generateName, namespace }).filter(([, value]) => value !== undefined);
  const metadata: DraftMeta = {
    ...Object.fromEntries(head),
    ...others,
    ...(managedFields !== undefined && { managedFields }),
  };
  return { metadata, spec: fieldsOf(draft.spec), status: fieldsOf(draft.status) };
}

/** Builds the answer to a review in the requested representation. */
export function reviewResponse({ resource, representation }: Call, parts: Fields): ApiResponse {
  const { apiVersion, info } = resource;
  const object = freeze({ kind: info.kind, apiVersion, ...parts }) as unknown as ApiObject;
  return representedResponse(201, representation.object(resource, object));
}
