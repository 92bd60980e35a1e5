import { type Fields, isFields } from '../objects/object.ts';
import { badRequest, failure, unsupportedMediaType } from '../status.ts';
import type { ApiRequest } from './message.ts';

/** How many bytes a body may have. */
export const mostBytes = 3 * 1024 * 1024;

const decoder = new TextDecoder();

/** The media type of a body; JSON when not said. */
export const mediaTypeOf = ({ headers }: ApiRequest): string =>
  (headers['content-type'] ?? 'application/json').split(';', 1)[0]!.trim().toLowerCase();

/** The text of a body. Throws 413 when it is too long. */
export function textOf({ body }: ApiRequest): string {
  if (body === undefined) return '';
  if (body.byteLength > mostBytes) {
    throw failure(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${mostBytes}`);
  }
  return decoder.decode(body);
}

async function yamlOf(text: string): Promise<unknown> {
  const { parse } = await import('yaml');
  try {
    return parse(text, { version: '1.1' });
  } catch (error) {
    throw badRequest(`error converting YAML to JSON: yaml: ${(error as Error).message.split('\n', 1)[0]}`);
  }
}

/** The value of a JSON or YAML body. Throws the server's 400, 413 and 415. */
export async function contentOf(request: ApiRequest, accepted: readonly string[]): Promise<unknown> {
  const type = mediaTypeOf(request);
  if (!accepted.includes(type)) throw unsupportedMediaType(accepted);
  const text = textOf(request);
  if (type === 'application/yaml') return yamlOf(text);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRequest((error as Error).message);
  }
}

/** The object of a body: something with a kind. Throws as {@link contentOf}. */
export async function objectOf(request: ApiRequest, accepted: readonly string[]): Promise<Fields> {
  const value = await contentOf(request, accepted);
  if (!isFields(value))
    throw badRequest(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    );
  return value;
}
