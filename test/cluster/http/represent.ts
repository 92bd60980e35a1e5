import type { Machinery } from '../machinery.ts';
import { type ApiObject, type Fields, freeze } from '../objects/object.ts';
import type { Resource } from '../registry.ts';
import { failure, type StatusError } from '../status.ts';
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

/** An object's type, as Go has it. */
const goTypeOf = ({ info: { group, kind, custom } }: Resource, isList: boolean): string => {
  const list = isList ? 'List' : '';
  return custom ? `*unstructured.Unstructured${list}` : `*${group.split('.')[0] || 'core'}.${kind}${list}`;
};

/** 406 of one object where a list of metadata is wanted, or the other way round. */
const otherForm = (resource: Resource, isList: boolean): StatusError =>
  failure(
    'NotAcceptable',
    isList
      ? `you requested PartialObjectMetadata, but the requested object is a list (${goTypeOf(resource, true)})`
      : `you requested PartialObjectMetadataList, but the requested object is not a list (${goTypeOf(resource, false)})`,
  );

function partial({ jsonOf }: Machinery, { version, isList = false }: Form): Representation {
  const views = new WeakMap<ApiObject, Fields>();
  const textOf = (object: ApiObject): string => {
    const known = views.get(object) ?? freeze(partialOf(object, version));
    views.set(object, known);
    return jsonOf(known);
  };
  return {
    ...withEvents({ object: (_resource, object) => textOf(object), list: () => '' }),
    object: (resource, object) => {
      if (isList) throw otherForm(resource, false);
      return textOf(object);
    },
    list: (resource, objects, metadata) => {
      if (!isList) throw otherForm(resource, true);
      const head = { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${version}`, metadata };
      return objects.length === 0 ? JSON.stringify({ ...head, items: null }) : listOf(head, objects.map(textOf));
    },
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
    const key = `${form.version} ${form.isList}`;
    const known = partials.get(key) ?? partial(machinery, form);
    partials.set(key, known);
    return known;
  };
}
