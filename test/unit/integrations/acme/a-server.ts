/** ACME server in memory, for tests: it verifies what it is sent as RFC 8555 asks for, and issues real certificates. */

import { createHash, createPublicKey, type JsonWebKey, type KeyObject, randomBytes, verify } from 'node:crypto';
import type { Clock } from '../../../../sdk/index.ts';
import { CertificateIssuer, type IssuedCertificate, Problem } from './a-certificate-issuer.ts';

type Json = Readonly<Record<string, unknown>>;

interface Authorization {
  readonly value: string;
  readonly wildcard: boolean;
  readonly token: string;
  status: string;
  error?: object;
}

interface Order {
  readonly account: string;
  readonly names: readonly string[];
  readonly authorizations: readonly string[];
  status: string;
  chain?: string;
}

/** Options of the server. */
export interface AcmeServerInMemoryOptions {
  readonly clock: Clock;
  /** TXT records of a name, as the server looks them up. */
  readonly texts: (name: string) => readonly string[] | Promise<readonly string[]>;
  /** Answers over HTTP, as the server reads them. @default none */
  readonly answers?: (host: string, path: string) => Promise<string>;
  /** Validity in ms. @default 90 days */
  readonly validity?: number;
  /** The server tells when to renew. @default true */
  readonly hasRenewalInfo?: boolean;
  /** Certificates name the key of their authority. @default true */
  readonly namesItsKey?: boolean;
}

/** Address of the server; nothing listens there. */
export const origin = 'https://ca.example.test';
const json = (value: object, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json', ...headers } });
const decoded = (text: unknown): Json => JSON.parse(Buffer.from(String(text), 'base64url').toString()) as Json;
const idOf = (): string => randomBytes(6).toString('hex');

/** Server in memory. */
export class AcmeServerInMemory {
  readonly orders = new Map<string, Order>();
  readonly nonces = new Set<string>();
  /** Names that it refuses to certify. */
  readonly refused = new Set<string>();
  readonly #options: AcmeServerInMemoryOptions;
  readonly #accounts = new Map<string, { readonly jwk: JsonWebKey; readonly key: KeyObject }>();
  readonly #authorizations = new Map<string, Authorization>();
  readonly #issuer: CertificateIssuer;

  constructor(options: AcmeServerInMemoryOptions) {
    this.#options = options;
    this.#issuer = new CertificateIssuer(options);
  }

  /** All certificates that it has issued. */
  get certificates(): readonly IssuedCertificate[] {
    return this.#issuer.certificates;
  }

  /** Revokes all certificates, as their owner or the authority could. */
  revokeAll(): void {
    for (const certificate of this.#issuer.certificates) certificate.revoked = true;
  }

  /** Returns the certificates that are neither revoked nor expired. */
  valid(): readonly IssuedCertificate[] {
    const now = this.#options.clock.now();
    return this.certificates.filter(({ to, revoked }) => !revoked && to > now);
  }

  /** Number of accounts. */
  get accounts(): number {
    return this.#accounts.size;
  }

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    init?.signal?.throwIfAborted();
    const nonce = idOf();
    this.nonces.add(nonce);
    const response = await this.#answer(String(input), init).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error;
      return json({ type: `urn:ietf:params:acme:error:${error.type}`, detail: error.message }, error.status);
    });
    response.headers.set('replay-nonce', nonce);
    return response;
  };

  async #answer(url: string, init: RequestInit | undefined): Promise<Response> {
    const path = url.slice(origin.length);
    if (path === '/dir') return json(this.#directory());
    if (path === '/nonce') return new Response(null, { status: 200 });
    if (path.startsWith('/ari/')) return json(this.#issuer.renewal(path.slice(5)));
    const { header, payload } = this.#verified(url, JSON.parse(String(init?.body)) as Json);
    if (path === '/account') return this.#account(header);
    const account = String(header.kid);
    const [, kind, id = ''] = path.split('/');
    switch (kind) {
      case 'orders':
        return this.#order(account, payload ?? {});
      case 'order':
        return json(this.#shown(id, this.#of(account, id)));
      case 'authz':
        return json(this.#shownAuthorization(id));
      case 'challenge':
        return this.#challenge(id, payload !== undefined);
      case 'finalize':
        return this.#finalize(id, this.#of(account, id), payload ?? {});
      case 'certificate':
        return new Response(this.#of(account, id).chain, {
          headers: { 'content-type': 'application/pem-certificate-chain' },
        });
      case 'revoke':
        this.#issuer.revoke(String(payload?.certificate));
        return new Response(null, { status: 200 });
      default:
        throw new Problem(404, 'malformed', `nothing at ${path}`);
    }
  }

  #directory(): Json {
    const { hasRenewalInfo = true } = this.#options;
    const at = (path: string) => `${origin}/${path}`;
    return {
      ...{ newNonce: at('nonce'), newAccount: at('account'), newOrder: at('orders'), revokeCert: at('revoke') },
      ...(hasRenewalInfo && { renewalInfo: at('ari/') }),
    };
  }

  #verified(url: string, body: Json): { header: Json; payload: Json | undefined } {
    const header = decoded(body.protected);
    if (!this.nonces.delete(String(header.nonce))) throw new Problem(400, 'badNonce', 'the nonce is not known');
    if (header.url !== url) throw new Problem(401, 'unauthorized', 'signed for another URL');
    const known = this.#accounts.get(String(header.kid))?.key;
    const key = header.jwk ? createPublicKey({ key: header.jwk as JsonWebKey, format: 'jwk' }) : known;
    if (key === undefined) throw new Problem(400, 'accountDoesNotExist', 'no such account');
    const signature = Buffer.from(String(body.signature), 'base64url');
    const data = Buffer.from(`${body.protected}.${body.payload}`);
    if (!verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, signature))
      throw new Problem(400, 'malformed', 'the signature is wrong');
    return { header, payload: body.payload === '' ? undefined : decoded(body.payload) };
  }

  #account(header: Json): Response {
    const jwk = header.jwk as JsonWebKey;
    const known = [...this.#accounts].find(([, one]) => one.jwk.x === jwk.x)?.[0];
    const kid = known ?? `${origin}/acct/${idOf()}`;
    this.#accounts.set(kid, { jwk, key: createPublicKey({ key: jwk, format: 'jwk' }) });
    return json({ status: 'valid' }, known === undefined ? 201 : 200, { location: kid });
  }

  #order(account: string, { identifiers }: Json): Response {
    const names = (identifiers as { value: string }[]).map(({ value }) => value);
    const refused = names.find((name) => this.refused.has(name));
    if (refused !== undefined) throw new Problem(403, 'rejectedIdentifier', `${refused}: policy forbids this name`);
    const authorizations = names.map((name) => {
      const id = idOf();
      const wildcard = name.startsWith('*.');
      this.#authorizations.set(id, {
        value: wildcard ? name.slice(2) : name,
        wildcard,
        token: idOf(),
        status: 'pending',
      });
      return id;
    });
    const id = idOf();
    this.orders.set(id, { account, names, authorizations, status: 'pending' });
    return json(this.#shown(id, this.#of(account, id)), 201, { location: `${origin}/order/${id}` });
  }

  #of(account: string, id: string): Order {
    const order = this.orders.get(id);
    if (order?.account !== account) throw new Problem(404, 'malformed', 'no such order of this account');
    return order;
  }

  #shown(id: string, order: Order): Json {
    const states = order.authorizations.map((one) => this.#authorizations.get(one)?.status);
    if (order.status === 'pending' && states.includes('invalid')) order.status = 'invalid';
    if (order.status === 'pending' && states.every((state) => state === 'valid')) order.status = 'ready';
    return {
      status: order.status,
      identifiers: order.names.map((value) => ({ type: 'dns', value })),
      authorizations: order.authorizations.map((one) => `${origin}/authz/${one}`),
      finalize: `${origin}/finalize/${id}`,
      ...(order.chain !== undefined && { certificate: `${origin}/certificate/${id}` }),
    };
  }

  #shownAuthorization(id: string): Json {
    const found = this.#authorizations.get(id);
    if (found === undefined) throw new Problem(404, 'malformed', 'no such authorization');
    const { value, wildcard, status } = found;
    const challenges = (wildcard ? [id] : [id, `${id}.http`]).map((one) => this.#shownChallenge(one, found));
    return { status, wildcard, identifier: { type: 'dns', value }, challenges };
  }

  #shownChallenge(id: string, { token, status, error }: Authorization): Json {
    return {
      type: id.endsWith('.http') ? 'http-01' : 'dns-01',
      url: `${origin}/challenge/${id}`,
      token,
      status,
      ...(error && { error }),
    };
  }

  async #challenge(id: string, isAnswer: boolean): Promise<Response> {
    const [authorization = '', kind] = id.split('.');
    const found = this.#authorizations.get(authorization);
    if (found === undefined) throw new Problem(404, 'malformed', 'no such challenge');
    if (isAnswer) {
      if (found.status !== 'pending') throw new Problem(400, 'malformed', `the challenge is ${found.status}`);
      const { crv, kty, x, y } = [...this.#accounts.values()][0]!.jwk;
      const thumbprint = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
      const isByHttp = kind === 'http';
      found.status = (await this.#isSeen(found, `${found.token}.${thumbprint}`, isByHttp)) ? 'valid' : 'invalid';
      const detail = `No ${isByHttp ? 'answer at ' : 'TXT record found at _acme-challenge.'}${found.value}`;
      if (found.status === 'invalid') found.error = { type: 'urn:ietf:params:acme:error:unauthorized', detail };
    }
    return json(this.#shownChallenge(id, found));
  }

  /** Looks for what answers a challenge. */
  async #isSeen({ value, token }: Authorization, authorized: string, isByHttp: boolean): Promise<boolean> {
    const { texts, answers } = this.#options;
    if (!isByHttp)
      return (await texts(`_acme-challenge.${value}`)).includes(
        createHash('sha256').update(authorized).digest('base64url'),
      );
    return (await answers?.(value, `/.well-known/acme-challenge/${token}`).catch(() => undefined)) === authorized;
  }

  #finalize(id: string, order: Order, { csr }: Json): Response {
    this.#shown(id, order);
    if (order.status !== 'ready') throw new Problem(403, 'orderNotReady', `the order is ${order.status}`);
    order.chain = this.#issuer.issue({ csr: String(csr), names: order.names, id });
    order.status = 'valid';
    return json(this.#shown(id, order));
  }
}
