import { goHead, misfit } from '../go-json.ts';
import { type Content, contentOf, mediaTypeOf, objectTypes, protobufType, SyntaxFault, textOf } from '../http/body.ts';
import { type Fields, isFields } from '../objects/object.ts';
import { badRequest, type StatusError } from '../status.ts';
import type { Call } from './call.ts';

/** How many bytes of a body are shown. */
const mostShown = 30;

/** The beginning of a body as the server shows it: as it is when it looks like JSON, else in hexadecimal. */
function shownBody(text: string): string {
  if (text === '') return '<empty>';
  const bytes = Buffer.from(text);
  const begin = bytes.subarray(0, mostShown);
  const more = bytes.length > mostShown ? ' ...' : '';
  return `${text.startsWith('{') ? begin.toString() : begin.toString('hex')}${more}`;
}

const unrecognized = (kind: string, why: string, text: string): StatusError =>
  badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why} (${shownBody(text)})`);

/** The server of custom resources knows no other kinds that are no objects. */
const unregistered = (kind: string): StatusError =>
  badRequest(`no kind is registered for the type v1.${kind} in scheme "pkg/runtime/scheme.go:110"`);

/** What Go says of an apiVersion or a kind that is no text. */
function unnamed(value: Fields): string | undefined {
  const isText = (member: unknown): boolean => typeof member === 'string' || member === null;
  const name = Object.keys(value).find((key) => (key === 'kind' || key === 'apiVersion') && !isText(value[key]));
  return name === undefined ? undefined : misfit(value[name], 'string').replace('value', `struct field .${name}`);
}

const unparsed = (why: string): string => `couldn't get version/kind; json parse error: ${why}`;

/** What Go says of whose kind an object is; undefined when that can be told, be it another one. */
function unknownHead(
  value: Fields,
  { text, isCustom }: { readonly text: string; readonly isCustom: boolean },
): string | undefined {
  const odd = unnamed(value);
  if (odd !== undefined) return unparsed(odd);
  const { apiVersion } = value;
  if (typeof apiVersion === 'string' && apiVersion.split('/').length > 2) {
    return `unexpected GroupVersion string: ${apiVersion}`;
  }
  return isCustom && !value.kind ? `Object 'Kind' is missing in '${text}'` : undefined;
}

/** A body that is an object. */
export interface ObjectContent extends Content {
  readonly value: Fields;
}

/** The body of a request that must be an object of `kind`; as in Go, null is an empty one. JSON, as nearly always, is read at once. Throws or rejects with the server's 400, 413 and 415. */
export function objectContentOf(call: Call, kind: string): ObjectContent | Promise<ObjectContent> {
  const { request, machinery, resource } = call;
  const isCustom = resource.info.custom !== undefined && kind === resource.info.kind;
  const refuse = (why: string, text: string) =>
    resource.info.custom === undefined || isCustom ? unrecognized(kind, why, text) : unregistered(kind);
  const refused = (error: unknown): never => {
    throw error instanceof SyntaxFault ? refuse(error.message, error.text) : error;
  };
  const shown = (value: unknown): string =>
    mediaTypeOf(request) === protobufType ? JSON.stringify(value) : textOf(request);
  const asObject = ({ value, ...odd }: Content): ObjectContent => {
    const read = value === null || value === undefined ? {} : value;
    if (!isFields(read)) throw refuse(unparsed(misfit(read, goHead)), shown(read));
    const why = unknownHead(read, { text: shown(read), isCustom });
    if (why !== undefined) throw refuse(why, shown(read));
    return { value: read, ...odd };
  };
  try {
    const content = contentOf(request, objectTypes, isCustom ? undefined : machinery.rules.types);
    return content instanceof Promise ? content.then(asObject, refused) : asObject(content);
  } catch (error) {
    return refused(error);
  }
}

/** What is said of members that are there twice. */
export const duplicateFields = ({ duplicates, repeated }: Content): readonly string[] =>
  repeated === undefined ? duplicates.map((path) => `duplicate field ${JSON.stringify(path)}`) : [repeated];

const inYaml = 'yaml: unmarshal errors:\n';

/** What is warned of for a problem: faults of YAML, which are lines of one text, one by one. */
export const warningTextsOf = (problem: string): readonly string[] =>
  problem.startsWith(inYaml)
    ? problem
        .slice(inYaml.length)
        .split('\n')
        .map((line) => line.trim())
    : [problem];
