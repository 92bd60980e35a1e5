/** Represents objects and errors as response bodies. */

import { escapeHtml, goJson } from '../apimachinery/go/go-json.ts';
import { type ApiObject, type Fields, freeze } from '../apimachinery/object.ts';
import { failure, type StatusError, unexpected } from '../apimachinery/status.ts';
import type { ApiResponse } from '../requests/message.ts';
import { type Framing, jsonLines } from '../requests/watch-framing.ts';
import type { Resource } from '../resources/registry.ts';
import type { ServerContext } from '../server/server-context.ts';
import { type Form, mediaTypes } from './negotiation.ts';
import { tableForm } from './table-representation.ts';

/** Metadata of a list. */
export interface ListMetadata {
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** JSON without a final newline, or protobuf. */
export type Body = string | Uint8Array;

/** Encodes objects as text or protobuf, each only once. */
export interface Representation {
  /** Encodes one object. */
  object(resource: Resource, object: ApiObject): Body;
  /** Encodes a list of objects. */
  list(resource: Resource, objects: readonly ApiObject[], metadata: ListMetadata): Body;
  /** Encodes a watch event. */
  event(resource: Resource, type: string, object: ApiObject): Buffer;
  /** Encodes the first watch event, where it differs from the others. */
  firstEvent?(resource: Resource, type: string, object: ApiObject): Buffer;
  /** Framing of watch events. */
  readonly framing: Framing;
}

/** Returns a response with a JSON body. */
export const jsonResponse = (
  status: number,
  value: object | string,
  headers: ApiResponse['headers'] = {},
): ApiResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: `${typeof value === 'string' ? value : goJson(value)}\n`,
});

/** Returns a response with an encoded body. */
export const representedResponse = (status: number, body: Body): ApiResponse =>
  typeof body === 'string'
    ? jsonResponse(status, body)
    : { status, headers: { 'content-type': mediaTypes.protobuf }, body };

/** Returns a response with JSON that is always indented and has no final newline, as the server writes without its codecs. */
export const indentedResponse = (
  status: number,
  value: unknown,
  headers: ApiResponse['headers'] = {},
): ApiResponse => ({
  status,
  headers: { ...headers, 'content-type': 'application/json' },
  body: escapeHtml(JSON.stringify(value, undefined, 2)),
});

/** Returns a text response. */
export const textResponse = (status: number, body: string, contentType = 'text/plain; charset=utf-8'): ApiResponse => ({
  status,
  headers: { 'content-type': contentType },
  body,
});

/** Returns the answer to invalid credentials. */
export const unauthorized = (): ApiResponse =>
  jsonResponse(401, failure('Unauthorized', 'Unauthorized').status, { 'cache-control': 'no-cache, private' });

/** Creates a cache of the JSON of frozen values, for as long as they live. */
export function createJsonCache(): (value: object) => string {
  const texts = new WeakMap<object, string>();
  return (value) => {
    let text = texts.get(value);
    if (text === undefined) {
      text = goJson(value);
      texts.set(value, text);
    }
    return text;
  };
}

/** Returns the metadata as a `PartialObjectMetadata`. */
const partialOf = (object: ApiObject, version: string): Fields => ({
  kind: 'PartialObjectMetadata',
  apiVersion: `meta.k8s.io/${version}`,
  metadata: object.metadata,
});

/** Encodes a list item; items of built-in lists have no kind and apiVersion. */
function itemText(resource: Resource, object: ApiObject, text: string): string {
  if (resource.info.custom !== undefined) return text;
  const { apiVersion: _version, kind: _kind, ...item } = object;
  return goJson(item);
}

interface ListHead {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: ListMetadata;
}

const listOf = ({ kind, apiVersion, metadata }: ListHead, items: readonly string[]): string =>
  `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},"metadata":${JSON.stringify(metadata)},"items":[${items.join(',')}]}`;

function plain({ jsonOf }: ServerContext): Pick<Representation, 'object' | 'list'> {
  const texts = new WeakMap<ApiObject, string>();
  const itemOf = (resource: Resource, object: ApiObject): string => {
    const known = texts.get(object);
    if (known !== undefined) return known;
    const text = itemText(resource, object, jsonOf(object));
    texts.set(object, text);
    return text;
  };
  return {
    object: (_resource, object) => jsonOf(object),
    list: (resource, objects, metadata) => {
      const { info, apiVersion } = resource;
      const shown = info.custom === undefined ? metadata : { continue: '', ...metadata };
      const items = objects.map((object) => itemOf(resource, object));
      return listOf({ kind: info.listKind, apiVersion, metadata: shown }, items);
    },
  };
}

/** Returns the Go type of an object or list. */
const goTypeOf = ({ info: { group, kind, custom } }: Resource, isList: boolean): string => {
  const list = isList ? 'List' : '';
  return custom ? `*unstructured.Unstructured${list}` : `*${group.split('.')[0] || 'core'}.${kind}${list}`;
};

/** Returns the 406 for an object requested as a list of metadata, or the reverse. */
function otherForm(resource: Resource, isList: boolean): StatusError {
  if (!isList && resource.info.custom !== undefined) return unexpected('content is not a list');
  return failure(
    'NotAcceptable',
    isList
      ? `you requested PartialObjectMetadata, but the requested object is a list (${goTypeOf(resource, true)})`
      : `you requested PartialObjectMetadataList, but the requested object is not a list (${goTypeOf(resource, false)})`,
  );
}

/** Wraps a representation to refuse objects requested as a list of metadata, or the reverse. */
export function checkPartialOf({ isList = false }: Form, base: Representation): Representation {
  return {
    ...base,
    object: (resource, object) => {
      if (isList) throw otherForm(resource, false);
      return base.object(resource, object);
    },
    list: (resource, objects, metadata) => {
      if (!isList) throw otherForm(resource, true);
      return base.list(resource, objects, metadata);
    },
    event: (resource, type, object) => {
      if (isList) throw otherForm(resource, false);
      return base.event(resource, type, object);
    },
  };
}

function partial({ jsonOf }: ServerContext, form: Form): Representation {
  const { version } = form;
  const views = new WeakMap<ApiObject, Fields>();
  const textOf = (object: ApiObject): string => {
    const known = views.get(object) ?? freeze(partialOf(object, version));
    views.set(object, known);
    return jsonOf(known);
  };
  return checkPartialOf(
    form,
    inLines({
      object: (_resource, object) => textOf(object),
      list: (_resource, objects, metadata) => {
        const head = { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${version}`, metadata };
        return objects.length === 0 ? JSON.stringify({ ...head, items: null }) : listOf(head, objects.map(textOf));
      },
    }),
  );
}

/** Adds events to a representation, each encoded once. */
export function withEvents(
  base: Pick<Representation, 'object' | 'list' | 'framing'>,
  make: (type: string, resource: Resource, object: ApiObject) => Buffer,
): Representation {
  const frames = new WeakMap<ApiObject, Map<string, Buffer>>();
  return {
    ...base,
    event(resource, type, object) {
      const known = frames.get(object) ?? new Map<string, Buffer>();
      frames.set(object, known);
      const frame = known.get(type) ?? make(type, resource, object);
      known.set(type, frame);
      return frame;
    },
  };
}

const inLines = (base: Pick<Representation, 'object' | 'list'>): Representation =>
  withEvents({ ...base, framing: jsonLines }, (type, resource, object) =>
    Buffer.from(`{"type":"${type}","object":${base.object(resource, object)}}\n`),
  );

/** Returns the representation of a form, shared by all requests for it. */
export type Representations = (form: Form, query: URLSearchParams) => Representation | Promise<Representation>;

async function inProtobuf({ protobufEncoder }: ServerContext, form: Form): Promise<Representation> {
  const [made, { protobufForm }] = await Promise.all([protobufEncoder(), import('./protobuf-representation.ts')]);
  return protobufForm(made, form);
}

/** Creates the representations of a cluster. */
export function createRepresentations(server: ServerContext): Representations {
  const whole = inLines(plain(server));
  const others = new Map<string, Representation | Promise<Representation>>();
  const make = (form: Form) => (form.media === 'protobuf' ? inProtobuf(server, form) : partial(server, form));
  return (form, query) => {
    const { as, media } = form;
    if (as === 'Table') return tableForm(server, form, query);
    if (as === undefined && media !== 'protobuf') return whole;
    const key = `${media === 'protobuf'} ${as} ${form.version} ${form.isList}`;
    const known = others.get(key) ?? make(form);
    others.set(key, known);
    return known;
  };
}
