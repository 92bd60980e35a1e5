/** Reads request bodies: JSON, YAML and protobuf. */

import { wellFormed } from '../apimachinery/go/go-json.ts';
import { isTooDeep, syntaxFaultOf } from '../apimachinery/go/go-json-syntax.ts';
import { failure, unsupportedMediaType } from '../apimachinery/status.ts';
import type { ApiRequest } from '../requests/message.ts';
import type { TypeTable } from '../resources/type-table.ts';
import { emptyScan, largeNumber, type ScannedJson, scanJson } from './json-member-scan.ts';

/** Largest request body, in bytes (`MaxRequestBodyBytes`). */
export const maxBytes = 3 * 1024 * 1024;

/** Parsed body. */
export interface Content {
  readonly value: unknown;
  /** Repeated members and odd numbers of a JSON body; empty for other bodies. */
  readonly written: ScannedJson;
  /** The YAML parser's message about duplicate keys; undefined when there are none. */
  readonly repeated?: string | undefined;
}

const heads = { json: "couldn't get version/kind; json parse error: ", plain: '' } as const;

/** Body that is not valid JSON or YAML; `message` is the server's error, `text` the body. */
export class SyntaxFault extends Error {
  override readonly name = 'SyntaxFault';
  readonly text: string;

  /** The parser's own message, which `message` prefixes for JSON. */
  readonly why: string;

  constructor(why: string, text: string, language: keyof typeof heads = 'json') {
    super(heads[language] + why);
    this.why = why;
    this.text = text;
  }
}

/** Media types of written objects; protobuf for built-in kinds only. */
export const objectTypes = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Returns the media type of a body as sent; JSON by default. */
export const writtenMediaTypeOf = ({ headers }: ApiRequest): string =>
  (headers['content-type'] || 'application/json').split(';', 1)[0]!.trim();

/** Returns the media type of a body in lower case; JSON by default. */
export const mediaTypeOf = (request: ApiRequest): string => writtenMediaTypeOf(request).toLowerCase();

/** Reports whether the content type has a parameter without a value. */
const hasOddParameter = ({ headers }: ApiRequest): boolean =>
  /;\s*[^\s;=]+\s*(?:;|$)/.test(headers['content-type'] ?? '');

const nothing = new Uint8Array();

/** Returns the bytes of a body. Throws the server's 413 when it is too large. */
function bytesOf({ body = nothing }: ApiRequest): Uint8Array {
  if (body.byteLength <= maxBytes) return body;
  throw failure('RequestEntityTooLarge', `Request entity too large: limit is ${maxBytes}`);
}

/** Returns the text of a body. Throws the server's 413. */
export const textOf = (request: ApiRequest): string => decoder.decode(bytesOf(request));

/** Returns the first number that is too large for a double; undefined without any. */
function overflowIn(text: string): string | undefined {
  if (!largeNumber.test(text)) return undefined;
  const tokens = text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g);
  for (const [token] of tokens) if (Math.abs(Number(token)) === Infinity) return token;
  return undefined;
}

function jsonOf(text: string): unknown {
  let why = 'exceeded max depth';
  const overflow = overflowIn(text);
  if (overflow !== undefined && syntaxFaultOf(text) === undefined)
    throw new SyntaxFault(`json: cannot unmarshal number ${overflow} into Go value of type float64`, text);
  try {
    if (!isTooDeep(text)) return wellFormed(text, JSON.parse(text));
  } catch (error) {
    why = (error as Error).message;
  }
  throw new SyntaxFault(syntaxFaultOf(text) ?? why, text);
}

async function yamlOf(text: string): Promise<Content> {
  const { readYaml, YamlFault } = await import('./yaml.ts');
  try {
    const { value, repeated } = readYaml(text);
    if (repeated.length === 0) return plainContent(value);
    const lines = repeated.map((line) => `\n  ${line}`).join('');
    return { ...plainContent(value), repeated: `yaml: unmarshal errors:${lines}` };
  } catch (error) {
    throw error instanceof YamlFault ? new SyntaxFault(error.message, text, 'plain') : error;
  }
}

/** Media type of Kubernetes protobuf. */
export const protobufType = 'application/vnd.kubernetes.protobuf';

const plainContent = (value: unknown): Content => ({ value, written: emptyScan });

async function protobufOf(request: ApiRequest, types: () => Promise<TypeTable>): Promise<unknown> {
  const { readProtobuf, NotProtobuf } = await import('./protobuf-body.ts');
  const bytes = bytesOf(request);
  try {
    return readProtobuf(await types(), bytes);
  } catch (error) {
    throw error instanceof NotProtobuf ? new SyntaxFault(error.message, decoder.decode(bytes), 'plain') : error;
  }
}

/**
 * Reads a body in JSON, YAML or, with the tables of `types`, protobuf; synchronous for JSON, the common case.
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
  if (type === 'application/yaml') return yamlOf(text);
  const value = jsonOf(text);
  return { value, written: scanJson(text, value) };
}
