/** Reads bodies that must be objects. */

import { goHead, unmarshalError } from '../apimachinery/go/go-json.ts';
import { type Fields, isFields } from '../apimachinery/object.ts';
import { badRequest, type StatusError } from '../apimachinery/status.ts';
import {
  type Content,
  contentOf,
  mediaTypeOf,
  objectTypes,
  protobufType,
  SyntaxFault,
  textOf,
} from '../encoding/request-body.ts';
import type { Call } from './resource-call.ts';

/** Number of bytes of a body that an error quotes. */
const maxShown = 30;

/** Quotes the beginning of a body as the server does: as text when it looks like JSON, else in hexadecimal. */
function quotedBody(text: string): string {
  if (text === '') return '<empty>';
  const bytes = Buffer.from(text);
  const begin = bytes.subarray(0, maxShown);
  const more = bytes.length > maxShown ? ' ...' : '';
  return `${text.startsWith('{') ? begin.toString() : begin.toString('hex')}${more}`;
}

const unrecognized = (kind: string, why: string, text: string): StatusError =>
  badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why} (${quotedBody(text)})`);

/** Returns the 400 for a kind that the server of custom resources does not have in its scheme. */
const unregistered = (kind: string): StatusError =>
  badRequest(`no kind is registered for the type v1.${kind} in scheme "pkg/runtime/scheme.go:110"`);

/** Returns Go's error for an apiVersion or kind that is not a string. */
function typeMetaFault(value: Fields): string | undefined {
  const isText = (member: unknown): boolean => typeof member === 'string' || member === null;
  const name = Object.keys(value).find((key) => (key === 'kind' || key === 'apiVersion') && !isText(value[key]));
  return name === undefined
    ? undefined
    : unmarshalError(value[name], 'string').replace('value', `struct field .${name}`);
}

const unparsed = (why: string): string => `couldn't get version/kind; json parse error: ${why}`;

/** Returns Go's error for a missing or invalid apiVersion or kind; undefined when the kind can be determined. */
function missingTypeMeta(
  value: Fields,
  { text, isCustom }: { readonly text: string; readonly isCustom: boolean },
): string | undefined {
  const odd = typeMetaFault(value);
  if (odd !== undefined) return unparsed(odd);
  const { apiVersion } = value;
  if (typeof apiVersion === 'string' && apiVersion.split('/').length > 2) {
    return `unexpected GroupVersion string: ${apiVersion}`;
  }
  return isCustom && !value.kind ? `Object 'Kind' is missing in '${text}'` : undefined;
}

/** Body that is an object. */
export interface ObjectBody extends Content {
  readonly value: Fields;
}

/**
 * Reads a body that must be an object of `kind`; null is an empty object, as in Go.
 * Synchronous for JSON, the common case. Throws or rejects with the server's 400, 413 and 415.
 */
export function readObjectBody(call: Call, kind: string): ObjectBody | Promise<ObjectBody> {
  const { request, server, resource } = call;
  const isCustom = resource.info.custom !== undefined && kind === resource.info.kind;
  const refuse = (why: string, text: string) =>
    resource.info.custom === undefined || isCustom ? unrecognized(kind, why, text) : unregistered(kind);
  const refused = (error: unknown): never => {
    throw error instanceof SyntaxFault ? refuse(error.message, error.text) : error;
  };
  const shown = (value: unknown): string =>
    mediaTypeOf(request) === protobufType ? JSON.stringify(value) : textOf(request);
  const asObject = ({ value, ...odd }: Content): ObjectBody => {
    const read = value === null || value === undefined ? {} : value;
    if (!isFields(read)) throw refuse(unparsed(unmarshalError(read, goHead)), shown(read));
    const why = missingTypeMeta(read, { text: shown(read), isCustom });
    if (why !== undefined) throw refuse(why, shown(read));
    return { value: read, ...odd };
  };
  try {
    const content = contentOf(request, objectTypes, isCustom ? undefined : server.scheme.types);
    return content instanceof Promise ? content.then(asObject, refused) : asObject(content);
  } catch (error) {
    return refused(error);
  }
}

const duplicateField = (path: string): string => `duplicate field ${JSON.stringify(path)}`;
const unknownField = (path: string): string => `unknown field ${JSON.stringify(path)}`;

/** Returns the paths of repeated members. */
export const repeatedPaths = ({ written }: Content): readonly string[] =>
  written.members.filter(({ isRepeated }) => isRepeated).map(({ path }) => path);

/** Returns the problems of repeated members. */
const duplicateFields = (content: Content): readonly string[] =>
  content.repeated === undefined ? repeatedPaths(content).map(duplicateField) : [content.repeated];

/** Returns problems of unknown fields, those of repeated members before them. */
export const fieldProblems = (content: Content, unknown: readonly string[]): readonly string[] => [
  ...duplicateFields(content),
  ...unknown.map(unknownField),
];

/** Returns the problems of {@link fieldProblems} in the order of the JSON text; members of unknown fields are skipped. */
export function fieldProblemsInOrder(content: Content, unknown: readonly string[]): readonly string[] {
  const { members } = content.written;
  if (members.length === 0 || unknown.length === 0) return fieldProblems(content, unknown);
  const left = new Set(unknown);
  let within: string | undefined;
  const texts = members.flatMap(({ path, isRepeated }) => {
    if (within !== undefined && path.startsWith(within) && /^[.[]/.test(path.slice(within.length))) return [];
    within = left.has(path) ? path : undefined;
    if (within !== undefined) return [unknownField(path)];
    return isRepeated ? [duplicateField(path)] : [];
  });
  return [...new Set(texts)];
}

const inYaml = 'yaml: unmarshal errors:\n';

/** Returns the warnings for a problem; a problem of YAML has several lines, each a warning. */
export const warningTextsOf = (problem: string): readonly string[] =>
  problem.startsWith(inYaml)
    ? problem
        .slice(inYaml.length)
        .split('\n')
        .map((line) => line.trim())
    : [problem];
