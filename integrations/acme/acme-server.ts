/** Client of an ACME server for one account: sends signed requests (RFC 8555). */

import { type Clock, DefiniteError } from '../../sdk/index.ts';
import { type HttpApi, type HttpApiResponse, httpApi } from '../http-api.ts';
import { shortLine } from '../quoted-text.ts';
import type { AccountKey, ExternalAccount } from './account-key.ts';

/** Server, account and bounds. */
export interface AcmeServerOptions {
  /** URL of the server's directory. */
  readonly directory: string;
  readonly accountKey: AccountKey;
  /** Address for messages of the authority. */
  readonly email: string | undefined;
  readonly externalAccount: ExternalAccount | undefined;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** ms until a request fails. */
  readonly deadline: number;
  readonly concurrency: number;
}

/** Refusal of the server, with its status and the type of its problem document, without `urn:ietf:params:acme:error:`. */
export class AcmeRefusal extends DefiniteError {
  readonly status: number;
  readonly problem: string;
  constructor(message: string, { status, problem }: { readonly status: number; readonly problem: string }) {
    super(message);
    this.status = status;
    this.problem = problem;
  }

  static {
    AcmeRefusal.prototype.name = 'AcmeRefusal';
  }
}

/** Response of the server. */
export type AcmeResponse = Pick<HttpApiResponse, 'headers' | 'body'>;

/** One signed request. */
export interface AcmeRequest {
  readonly url: string;
  /** Absent: it only reads. */
  readonly payload?: object;
  readonly signal: AbortSignal;
  /** The body is returned as text instead of JSON. @default false */
  readonly isText?: boolean;
}

/** ACME server for one account. */
export interface AcmeServer {
  /** Returns the URL of a resource in the directory; undefined without one. */
  resource(name: string, signal: AbortSignal): Promise<string | undefined>;
  /** Sends a signed request; the first one creates the account. @throws AcmeRefusal, ThrottledError, another Error when the outcome is unknown */
  request(request: AcmeRequest): Promise<AcmeResponse>;
  /** Reads an unsigned resource; undefined for 404. */
  read(url: string, signal: AbortSignal): Promise<AcmeResponse | undefined>;
}

type Fields = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Returns the members of a JSON object; none for any other value. */
export const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});

/** Returns a member that is a text of usual length; undefined for any other. */
export function textIn(value: unknown, member: string): string | undefined {
  const found = fieldsOf(value)[member];
  return typeof found === 'string' && found.length <= 2_000 ? found : undefined;
}

/** Most problems of single names that are reported. */
const maxTold = 3;

/** Returns the message of a problem document (RFC 7807, with the subproblems of RFC 8555); undefined for anything else. */
export function problemWords(problem: unknown): string | undefined {
  const { subproblems } = fieldsOf(problem);
  const parts = (Array.isArray(subproblems) ? subproblems.slice(0, maxTold) : []).map((part: unknown) =>
    [textIn(fieldsOf(part).identifier, 'value'), textIn(part, 'detail')].filter(Boolean).join(': '),
  );
  const type = typeOf(problem);
  const words = [textIn(problem, 'detail'), ...parts].filter(Boolean).join('; ');
  return words === '' && type === '' ? undefined : `${shortLine(words)}${type && ` (${type})`}`;
}

const typeOf = (problem: unknown): string =>
  (textIn(problem, 'type') ?? '').replace(/^urn:ietf:params:acme:error:/, '').slice(0, 100);

/** Statuses of refusals whose problem document is more specific than the status. */
const refusals = [400, 401, 403, 404, 409, 410, 415];

/** Most nonces that are kept for later requests. */
const maxNonces = 20;
/** Maximum attempts of a request after `badNonce`, which is refused before any effect. */
const signatures = 4;

/** Reports whether the server refused the nonce of a request (RFC 8555, section 6.5). */
const isStale = ({ status, body }: HttpApiResponse): boolean => status >= 400 && typeOf(body) === 'badNonce';

/** Connection to the server: requests to absolute URLs, which have to be the server's. */
class AcmeConnection {
  readonly #api: HttpApi;
  readonly #origin: string;
  readonly #nonces: string[] = [];

  constructor({ directory, fetch, clock, deadline, concurrency }: AcmeServerOptions) {
    this.#origin = new URL(directory).origin;
    this.#api = httpApi({
      ...{ vendor: 'ACME', url: this.#origin, fetch, clock, deadline, concurrency },
      headers: { 'content-type': 'application/jose+json', accept: '*/*', 'user-agent': 'workspace-sequencer' },
      reasonOf: problemWords,
    });
  }

  /** Returns path and query of a URL. @throws DefiniteError when it is another server's */
  path(url: string): string {
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    if (parsed?.origin !== this.#origin)
      throw new DefiniteError(`ACME: ${url.slice(0, 200)} is not a URL of ${this.#origin}, and nothing was sent to it`);
    return `${parsed.pathname}${parsed.search}`;
  }

  async send(
    method: 'GET' | 'HEAD' | 'POST',
    url: string,
    {
      signal,
      body,
      isText = false,
    }: { readonly signal: AbortSignal; readonly body?: object; readonly isText?: boolean },
  ): Promise<HttpApiResponse> {
    const path = this.path(url);
    const response = await this.#api.request({
      method,
      path,
      signal,
      isText,
      expected: refusals,
      ...(body && { body }),
    });
    if (isStale(response)) this.#nonces.length = 0; // those that are kept are older
    const nonce = response.headers.get('replay-nonce');
    if (nonce !== null && this.#nonces.length < maxNonces) this.#nonces.push(nonce);
    return response;
  }

  async nonce(url: string, signal: AbortSignal): Promise<string> {
    const kept = this.#nonces.pop();
    if (kept !== undefined) return kept;
    await this.send('HEAD', url, { signal });
    const nonce = this.#nonces.pop();
    if (nonce === undefined) throw new DefiniteError('ACME: the server gives no nonce');
    return nonce;
  }
}

const pathOf = (url: string): string => new URL(url).pathname;

function refusalOf({ status, body }: HttpApiResponse, url: string): AcmeRefusal {
  const words = problemWords(body) ?? `HTTP ${status}`;
  return new AcmeRefusal(`ACME: POST ${pathOf(url)}: ${words}`, { status, problem: typeOf(body) });
}

/** Returns the request for an account. */
const newAccount = ({ accountKey, email, externalAccount }: AcmeServerOptions, url: string): object => ({
  termsOfServiceAgreed: true,
  ...(email !== undefined && { contact: [`mailto:${email}`] }),
  ...(externalAccount !== undefined && { externalAccountBinding: accountKey.bound(externalAccount, url) }),
});

/** Creates a connection of one account to a server; directory and account are requested once. */
export function acmeServer(options: AcmeServerOptions): AcmeServer {
  const { directory, accountKey } = options;
  const connection = new AcmeConnection(options);
  const known: { directory?: Fields; account?: string | undefined } = {};

  async function resource(name: string, signal: AbortSignal): Promise<string | undefined> {
    if (known.directory === undefined) {
      const { status, body } = await connection.send('GET', directory, { signal });
      if (status >= 400 || textIn(body, 'newOrder') === undefined)
        throw new DefiniteError(`ACME: ${directory} is not a directory of an ACME server: check option directory`);
      known.directory = fieldsOf(body);
    }
    return textIn(known.directory, name);
  }

  async function needed(name: string, signal: AbortSignal): Promise<string> {
    const url = await resource(name, signal);
    if (url === undefined) throw new DefiniteError(`ACME: the server has no ${name}`);
    return url;
  }

  async function signed({ url, payload, signal, isText }: AcmeRequest, kid?: string): Promise<HttpApiResponse> {
    connection.path(url);
    const nonces = await needed('newNonce', signal);
    for (let left = signatures; ; left -= 1) {
      const nonce = await connection.nonce(nonces, signal);
      const body = accountKey.signed({ url, nonce, kid }, payload);
      const response = await connection.send('POST', url, { signal, body, isText: isText ?? false });
      if (response.status < 400) return response;
      if (!isStale(response) || left === 1) throw refusalOf(response, url);
    }
  }

  async function account(signal: AbortSignal): Promise<string> {
    if (known.account !== undefined) return known.account;
    const url = await needed('newAccount', signal);
    const { headers } = await signed({ url, payload: newAccount(options, url), signal });
    const kid = headers.get('location');
    if (kid === null) throw new Error('ACME: the server does not say which account it has made');
    known.account = kid;
    return kid;
  }

  return {
    resource,
    async request(request) {
      const kid = await account(request.signal);
      return signed(request, kid).catch((error: unknown) => {
        if (error instanceof AcmeRefusal && error.problem === 'accountDoesNotExist') known.account = undefined;
        throw error;
      });
    },
    async read(url, signal) {
      const response = await connection.send('GET', url, { signal });
      return response.status < 400 ? response : undefined;
    },
  };
}
