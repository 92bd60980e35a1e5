import type { TypeTable } from '../kinds/type-table.ts';
import { badRequest, failure, unsupportedMediaType } from '../status.ts';
import { duplicateMembers } from './duplicates.ts';
import { isTooDeep, syntaxFaultOf } from './go-syntax.ts';
import type { ApiRequest } from './message.ts';

/** How many bytes a body may have. */
export const mostBytes = 3 * 1024 * 1024;

/** A body that was read. */
export interface Content {
  readonly value: unknown;
  /** Paths of members that were there twice. */
  readonly duplicates: readonly string[];
}

/** A body that is no JSON; `message` is what the server's parser says, `text` the body. */
export class SyntaxFault extends Error {
  override readonly name = 'SyntaxFault';
  readonly text: string;

  constructor(message: string, text: string) {
    super(message);
    this.text = text;
  }
}

/** What a write may send; protobuf for built-in kinds only. */
export const objectTypes = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The media type of a body, as it was written; JSON when not said. */
export const writtenMediaTypeOf = ({ headers }: ApiRequest): string =>
  (headers['content-type'] || 'application/json').split(';', 1)[0]!.trim();

/** The media type of a body; JSON when not said. */
export const mediaTypeOf = (request: ApiRequest): string => writtenMediaTypeOf(request).toLowerCase();

/** Whether a media type has a parameter without a value. */
const hasOddParameter = ({ headers }: ApiRequest): boolean =>
  /;\s*[^\s;=]+\s*(?:;|$)/.test(headers['content-type'] ?? '');

const nothing = new Uint8Array();

/** The bytes of a body. Throws 413 when there are too many. */
function bytesOf({ body = nothing }: ApiRequest): Uint8Array {
  if (body.byteLength <= mostBytes) return body;
  throw failure('RequestEntityTooLarge', `Request entity too large: limit is ${mostBytes}`);
}

/** The text of a body. Throws the server's 413. */
export const textOf = (request: ApiRequest): string => decoder.decode(bytesOf(request));

function jsonOf(text: string): unknown {
  let why = 'exceeded max depth';
  try {
    if (!isTooDeep(text)) return JSON.parse(text);
  } catch (error) {
    why = (error as Error).message;
  }
  throw new SyntaxFault(syntaxFaultOf(text) ?? why, text);
}

async function yamlOf(text: string): Promise<unknown> {
  const { readYaml, YamlFault } = await import('./yaml.ts');
  try {
    return readYaml(text).value;
  } catch (error) {
    throw error instanceof YamlFault ? badRequest(`error converting YAML to JSON: yaml: ${error.message}`) : error;
  }
}

const protobufType = 'application/vnd.kubernetes.protobuf';

const plainContent = (value: unknown): Content => ({ value, duplicates: [] });

async function protobufOf(request: ApiRequest, types: () => Promise<TypeTable>): Promise<unknown> {
  const { readProtobuf } = await import('./protobuf-body.ts');
  return readProtobuf(await types(), bytesOf(request));
}

/**
 * Reads a JSON or YAML body, and with the tables of `types` a protobuf one; JSON, as nearly always, at once.
 * Throws or rejects with the server's 413 and 415, its 400 for YAML and protobuf, and a SyntaxFault for JSON.
 */
export function contentOf(
  request: ApiRequest,
  accepted: readonly string[],
  types?: () => Promise<TypeTable>,
): Content | Promise<Content> {
  const type = mediaTypeOf(request);
  if (!accepted.includes(type) || hasOddParameter(request)) throw unsupportedMediaType(accepted);
  if (type === protobufType) {
    if (types === undefined) throw unsupportedMediaType(accepted);
    return protobufOf(request, types).then(plainContent);
  }
  const text = textOf(request);
  if (type === 'application/yaml') return yamlOf(text).then(plainContent);
  const value = jsonOf(text);
  return { value, duplicates: duplicateMembers(text, value) };
}
