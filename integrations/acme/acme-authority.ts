/** Implements the certificate authority by the ACME protocol (RFC 8555). */

import { DefiniteError, type HttpResponseHead } from '../../sdk/index.ts';
import type { AccountKey } from './account-key.ts';
import { AcmeRefusal, type AcmeResponse, type AcmeServer, fieldsOf, problemWords, textIn } from './acme-server.ts';
import type { CertificateAuthority, CertificateOrder, ChallengeType, NameChallenge, NewOrder } from './authority.ts';

/** Server, account, and the challenges by which it proves names. */
export interface AuthorityOptions {
  readonly server: AcmeServer;
  readonly key: AccountKey;
  readonly type: ChallengeType;
}

const statuses = ['pending', 'ready', 'processing', 'valid', 'invalid'] as const;

/** Longest URL that is recorded, in characters. */
const maxUrlLength = 400;
const tokens = /^[\w-]{1,256}$/;
/** Maximum Retry-After in ms of a response about an order. */
const maxWait = 60_000;

/** Returns the ms of a Retry-After in seconds; undefined for anything else. */
function retryAfterOf(headers: HttpResponseHead['headers']): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return seconds > 0 ? Math.min(seconds * 1_000, maxWait) : undefined;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Parses an order. @throws Error for an invalid response */
function orderOf({ body, headers }: AcmeResponse): CertificateOrder & { readonly authorizations: readonly string[] } {
  const status = statuses.find((one) => one === textIn(body, 'status'));
  const finalize = textIn(body, 'finalize');
  if (status === undefined || finalize === undefined) throw new Error('ACME: the server returned an invalid order');
  const { authorizations, error } = fieldsOf(body);
  return {
    status,
    finalize,
    authorizations: listOf(authorizations).filter((url) => typeof url === 'string'),
    certificate: textIn(body, 'certificate'),
    problem: problemWords(error),
    retryAfter: retryAfterOf(headers),
  };
}

const challengeIn = (body: unknown, type: ChallengeType): unknown =>
  listOf(fieldsOf(body).challenges).find((one) => textIn(one, 'type') === type);

/** Returns the challenge of an authorization; undefined for a valid one. @throws DefiniteError without a challenge of that type */
function challengeOf(
  body: unknown,
  names: readonly string[],
  { key, type }: AuthorityOptions,
): NameChallenge | undefined {
  const [status, name] = [textIn(body, 'status'), textIn(fieldsOf(body).identifier, 'value')?.toLowerCase()];
  if (name === undefined || !names.some((one) => one.replace(/^\*\./, '') === name))
    throw new DefiniteError('ACME: the server asks for proof of a name that was not ordered');
  if (status === 'valid') return undefined;
  const challenge = challengeIn(body, type);
  const [url, token] = [textIn(challenge, 'url'), textIn(challenge, 'token')];
  if (
    status !== 'pending' ||
    url === undefined ||
    url.length > maxUrlLength ||
    token === undefined ||
    !tokens.test(token)
  )
    throw new DefiniteError(`ACME: ${name} cannot be proved by ${type}: its authorization is ${status}`);
  return type === 'http-01'
    ? { url, name, text: key.authorization(token) }
    : { url, name: `_acme-challenge.${name}`, text: key.challengeText(token) };
}

/** Returns the failure of an order, from its first invalid authorization. */
async function failureOf(
  { server, type }: AuthorityOptions,
  urls: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  for (const url of urls) {
    const { body } = await server.request({ url, signal });
    const words = problemWords(fieldsOf(challengeIn(body, type)).error);
    if (textIn(body, 'status') === 'invalid')
      return `${textIn(fieldsOf(body).identifier, 'value')}: ${words ?? 'invalid'}`;
  }
  return undefined;
}

/** Distinguishes a refusal that means "it is so already" from others. */
async function unless(problems: readonly string[], sent: Promise<unknown>): Promise<void> {
  await sent.catch((error: unknown) => {
    if (!(error instanceof AcmeRefusal && problems.includes(error.problem))) throw error;
  });
}

async function order(
  options: AuthorityOptions,
  { names, signal }: { readonly names: readonly string[]; readonly signal: AbortSignal },
): Promise<NewOrder> {
  const { server } = options;
  const orders = (await server.resource('newOrder', signal)) ?? '';
  const identifiers = names.map((value) => ({ type: 'dns', value }));
  const answer = await server.request({ url: orders, payload: { identifiers }, signal });
  const url = answer.headers.get('location');
  if (url === null || url.length > maxUrlLength)
    throw new DefiniteError('ACME: the server does not say where its order is');
  const challenges: NameChallenge[] = [];
  for (const authorization of orderOf(answer).authorizations.slice(0, names.length)) {
    const { body } = await server.request({ url: authorization, signal });
    const challenge = challengeOf(body, names, options);
    if (challenge !== undefined) challenges.push(challenge);
  }
  return { url, challenges };
}

/** Returns the operations of the authority on a server, by the account with this key. */
export function acmeAuthority(options: AuthorityOptions): CertificateAuthority {
  const { server } = options;
  return {
    order: (request) => order(options, request),
    async read({ url, signal }) {
      try {
        const { authorizations, ...found } = orderOf(await server.request({ url, signal }));
        if (found.status !== 'invalid' || found.problem !== undefined) return found;
        return { ...found, problem: await failureOf(options, authorizations, signal) };
      } catch (error) {
        if (error instanceof AcmeRefusal && error.status === 404) return undefined;
        throw error;
      }
    },
    async answer({ url, signal }) {
      const { body } = await server.request({ url, signal });
      if (textIn(body, 'status') === 'pending') await server.request({ url, payload: {}, signal });
    },
    finalize: ({ url, request, signal }) =>
      unless(['orderNotReady'], server.request({ url, payload: { csr: request }, signal })),
    async certificate({ url, signal }) {
      const { body } = await server.request({ url, signal, isText: true });
      return String(body);
    },
    async revoke({ raw, signal }) {
      const url = await server.resource('revokeCert', signal);
      if (url === undefined)
        throw new DefiniteError('ACME: the server revokes no certificates: leave out option revoke');
      await unless(['alreadyRevoked'], server.request({ url, payload: { certificate: raw }, signal }));
    },
    async renewalWindow({ id, signal }) {
      const url = await server.resource('renewalInfo', signal);
      const answer = url === undefined ? undefined : await server.read(`${url.replace(/\/$/, '')}/${id}`, signal);
      const window = fieldsOf(answer?.body).suggestedWindow;
      const [start, end] = [Date.parse(textIn(window, 'start') ?? ''), Date.parse(textIn(window, 'end') ?? '')];
      return start <= end ? { start, end } : undefined;
    },
  };
}
