/** HTTP API of the third party: the one file that knows its paths and bodies. */

import {
  type Clock,
  ExternalAlreadyExistsError,
  errorOfRequest,
  errorOfResponse,
  systemClock,
} from 'workspace-sequencer/sdk';
import * as z from 'zod';

/** Options of {@link createAcmeBoxApi}. */
export interface AcmeBoxApiOptions {
  readonly url: string;
  readonly token: string;
  /** @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch;
  /** @default the system clock */
  readonly clock?: Clock;
}

const acmeBoxObject = z.object({
  id: z.string(),
  text: z.string(),
  /** Unique among all objects, if it has one. */
  name: z.string().optional(),
  /** Free text by which clients find it. */
  tag: z.string().optional(),
});

/** Object at the third party. */
export type AcmeBoxObject = Readonly<z.output<typeof acmeBoxObject>>;

/** Members that a client may set. */
type Body = Partial<Omit<AcmeBoxObject, 'id'>>;

interface Ask {
  readonly signal: AbortSignal;
  readonly body?: Body;
  /** Idempotency key. */
  readonly key?: string;
  /** Status besides 200 to 299 that is not an error. */
  readonly expected?: number;
}

/** Parses a response. @throws Error for any other one, such as of a proxy, which proves neither absence nor that the request had no effect */
async function answerOf<T>(response: Response, answer: z.ZodType<T>): Promise<T> {
  const read = answer.safeParse(await response.json());
  if (read.success) return read.data;
  throw new Error(`${response.url}: HTTP ${response.status} with an unknown answer: ${read.error.message}`);
}

/** Creates a client of the API. A failed call throws an error of `errorOfRequest` or `errorOfResponse`, whose class tells the guard whether it had an effect. */
export function createAcmeBoxApi(options: AcmeBoxApiOptions) {
  const { url, token, fetch = globalThis.fetch, clock = systemClock } = options;

  const ask = async (method: string, path: string, { signal, body, key, expected }: Ask): Promise<Response> => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
    };
    const request = { method, headers, signal, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`${url}${path}`, request).catch((error: unknown) => {
      throw errorOfRequest(error, `${method} ${path}: no answer`);
    });
    if (response.ok || response.status === expected) return response;
    throw errorOfResponse(response, `${method} ${path}: HTTP ${response.status}`, clock.now());
  };

  return {
    /** Creates an object. @throws ExternalAlreadyExistsError when its name is taken */
    async create(body: Body, more: { readonly signal: AbortSignal; readonly key?: string }) {
      const response = await ask('POST', '/objects', { ...more, body, expected: 409 });
      if (response.status === 409) throw new ExternalAlreadyExistsError(`the name ${body.name} is taken`);
      return answerOf(response, acmeBoxObject);
    },
    /** Returns the first object of that name or tag; undefined without one. */
    async find(by: 'name' | 'tag', value: string, signal: AbortSignal): Promise<AcmeBoxObject | undefined> {
      const response = await ask('GET', `/objects?${by}=${encodeURIComponent(value)}`, { signal });
      const [first] = await answerOf(response, z.array(acmeBoxObject));
      return first;
    },
    /** Returns an object; undefined for a deleted one. */
    async get(id: string, signal: AbortSignal): Promise<AcmeBoxObject | undefined> {
      const response = await ask('GET', `/objects/${id}`, { signal, expected: 404 });
      return response.status === 404 ? undefined : answerOf(response, acmeBoxObject);
    },
    async update(id: string, body: Body, signal: AbortSignal): Promise<void> {
      await ask('PATCH', `/objects/${id}`, { signal, body });
    },
    /** Deletes an object; a missing one counts as deleted. */
    async delete(id: string, signal: AbortSignal): Promise<void> {
      await ask('DELETE', `/objects/${id}`, { signal, expected: 404 });
    },
  };
}
