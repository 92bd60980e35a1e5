import type { Machinery } from '../machinery.ts';
import { type ApiObject, type Fields, freeze } from '../objects/object.ts';
import type { Resource } from '../registry.ts';
import { failure } from '../status.ts';
import type { ApiResponse } from './message.ts';
import type { Form } from './negotiation.ts';
import { tableForm } from './table-form.ts';

/** What the metadata of a list says. */
export interface ListMetadata {
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** Makes texts of objects, each once however often it is asked for. */
export interface Representation {
  /** The body of one object. */
  object(resource: Resource, object: ApiObject): string;
  /** The body of a list of objects. */
  list(resource: Resource, objects: readonly ApiObject[], metadata: ListMetadata): string;
  /** One line of a watch. */
  event(resource: Resource, type: string, object: ApiObject): Buffer;
  /** The first line of a watch, where it differs from the others. */
  firstEvent?(resource: Resource, type: string, object: ApiObject): Buffer;
}

/** A response with a JSON body. */
export const jsonResponse = (
  status: number,
  value: object | string,
  headers: ApiResponse['headers'] = {},
): ApiResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: `${typeof value === 'string' ? value : JSON.stringify(value)}\n`,
});

/** A text response. */
export const textResponse = (status: number, body: string, contentType = 'text/plain; charset=utf-8'): ApiResponse => ({
  status,
  headers: { 'content-type': contentType },
  body,
});

/** The answer to credentials that are not good. */
export const unauthorized = (): ApiResponse =>
  jsonResponse(401, failure('Unauthorized', 'Unauthorized').status, { 'cache-control': 'no-cache, private' });

/** Remembers the JSON of frozen values for as long as they live. */
export function createJsonCache(): (value: object) => string {
  const texts = new WeakMap<object, string>();
  return (value) => {
    let text = texts.get(value);
    if (text === undefined) {
      text = JSON.stringify(value);
      texts.set(value, text);
    }
    return text;
  };
}

/** Metadata alone, as `PartialObjectMetadata`. */
const partialOf = (object: ApiObject, version: string): Fields => ({
  kind: 'PartialObjectMetadata',
  apiVersion: `meta.k8s.io/${version}`,
  metadata: object.metadata,
});

/** Items of built-in lists have no kind and apiVersion. */
function itemText(resource: Resource, object: ApiObject, text: string): string {
  if (resource.info.custom !== undefined) return text;
  const { apiVersion: _version, kind: _kind, ...item } = object;
  return JSON.stringify(item);
}

interface ListHead {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: ListMetadata;
}

const listOf = ({ kind, apiVersion, metadata }: ListHead, items: readonly string[]): string =>
  `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},"metadata":${JSON.stringify(metadata)},"items":[${items.join(',')}]}`;

function plain({ jsonOf }: Machinery): Pick<Representation, 'object' | 'list'> {
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

function partial({ jsonOf }: Machinery, version: string): Pick<Representation, 'object' | 'list'> {
  const views = new WeakMap<ApiObject, Fields>();
  const textOf = (object: ApiObject): string => {
    const known = views.get(object) ?? freeze(partialOf(object, version));
    views.set(object, known);
    return jsonOf(known);
  };
  return {
    object: (_resource, object) => textOf(object),
    list: (_resource, objects, metadata) =>
      listOf(
        { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${version}`, metadata },
        objects.map(textOf),
      ),
  };
}

function withEvents(base: Pick<Representation, 'object' | 'list'>): Representation {
  const lines = new WeakMap<ApiObject, Map<string, Buffer>>();
  return {
    ...base,
    event(resource, type, object) {
      const known = lines.get(object) ?? new Map<string, Buffer>();
      lines.set(object, known);
      let line = known.get(type);
      if (line === undefined) {
        line = Buffer.from(`{"type":"${type}","object":${base.object(resource, object)}}\n`);
        known.set(type, line);
      }
      return line;
    },
  };
}

/** Gives the representation of a form, the same one to everyone who asks for that form. */
export type Representations = (form: Form, query: URLSearchParams) => Representation | Promise<Representation>;

/** The representations of one cluster. */
export function createRepresentations(machinery: Machinery): Representations {
  const whole = withEvents(plain(machinery));
  const partials = new Map<string, Representation>();
  return (form, query) => {
    if (form.as === undefined) return whole;
    if (form.as === 'Table') return tableForm(machinery, form, query);
    const known = partials.get(form.version) ?? withEvents(partial(machinery, form.version));
    partials.set(form.version, known);
    return known;
  };
}
