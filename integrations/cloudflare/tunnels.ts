/** Client of the tunnels of one account at Cloudflare's API. */

import { type Clock, DefiniteError, ExternalAlreadyExistsError } from '../../sdk/index.ts';
import { type HttpApi, type HttpApiResponse, httpApi } from '../http-api.ts';
import { hasErrorCode, isObject, reasonOf, resultOf } from './envelope.ts';
import { ruleIn, type TunnelRule } from './tunnel-rules.ts';

/** Address, credential and bounds of an account. */
export interface CloudflareTunnelsOptions {
  readonly url: string;
  readonly token: string;
  readonly accountId: string;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** ms until a request fails. */
  readonly deadline: number;
  readonly concurrency: number;
}

/** Tunnel that is not deleted. */
export interface Tunnel {
  /** UUID. */
  readonly id: string;
  readonly name: string;
}

/** Tunnels of an account. */
export interface CloudflareTunnels {
  /** Finds a tunnel by its name, which is unique. */
  find(name: string, signal: AbortSignal): Promise<Tunnel | undefined>;
  /** Reads a tunnel; undefined for a missing or deleted one. */
  read(id: string, signal: AbortSignal): Promise<Tunnel | undefined>;
  /** Creates a tunnel that is configured by the API. @throws ExternalAlreadyExistsError when there is one of that name */
  create(name: string, signal: AbortSignal): Promise<Tunnel>;
  rename(id: string, name: string, signal: AbortSignal): Promise<void>;
  /** Reads the token with which a connector runs the tunnel. */
  tokenOf(id: string, signal: AbortSignal): Promise<string>;
  /** Reads the rules; a new tunnel has none. */
  rulesOf(id: string, signal: AbortSignal): Promise<readonly TunnelRule[]>;
  /** Replaces all rules. */
  configure(id: string, rules: readonly TunnelRule[], signal: AbortSignal): Promise<void>;
  /** Closes all connections, and deletes the tunnel. @returns `deleting` while a connector connects again */
  delete(id: string, signal: AbortSignal): Promise<'gone' | 'deleting'>;
}

/** Tunnels of a page, and most pages of one name. */
const [pageSize, maxPages] = [100, 10];

/** Codes of errors: the name is taken; there are connections. */
const [nameTaken, hasConnections] = [1013, 1022];

/** Codes of errors: there is no such path. */
const noRoute = [7000, 7003];

const advice = {
  401: 'check option token',
  403: 'check options token and accountId: the token needs the permission Cloudflare Tunnel: Edit for the account',
  404: 'check options accountId and baseUrl',
};

/** Reads a tunnel; undefined when it was deleted. @throws Error when it is none */
function tunnelOf(value: unknown): Tunnel | undefined {
  const { id, name, deleted_at: deleted } = isObject(value) ? value : {};
  if (typeof id !== 'string' || !/^[0-9a-f-]{36}$/.test(id) || typeof name !== 'string')
    throw new Error('Cloudflare: returned a tunnel without id or name');
  return deleted === undefined || deleted === null ? { id, name } : undefined;
}

/** Requests to the tunnels of an account. */
interface TunnelsApi extends HttpApi {
  /** Path of the tunnels. */
  readonly path: string;
}

/**
 * Reports whether a response means a missing tunnel. @throws DefiniteError for a missing path, as for a wrong account, and for a 404 of another server
 */
function isAbsent({ status, body }: HttpApiResponse): boolean {
  if (status !== 404) return false;
  const reason = reasonOf(body);
  if (reason === undefined || noRoute.some((code) => hasErrorCode(body, code)))
    throw new DefiniteError(`Cloudflare: HTTP 404: ${reason ?? 'without an error of the API'}: ${advice[404]}`);
  return true;
}

/** Read operations. */
function tunnelReads({ request, path }: TunnelsApi): Pick<CloudflareTunnels, 'find' | 'read' | 'tokenOf' | 'rulesOf'> {
  const get = async (below: string, signal: AbortSignal): Promise<unknown> => {
    const answer = await request({ method: 'GET', path: `${path}/${below}`, signal, expected: [404] });
    return isAbsent(answer) ? undefined : resultOf(answer.body, `tunnel ${below}`);
  };
  const page = async (name: string, number: number, signal: AbortSignal): Promise<readonly unknown[]> => {
    const query = new URLSearchParams({ name, is_deleted: 'false', per_page: `${pageSize}`, page: `${number}` });
    const { body } = await request({ method: 'GET', path: `${path}?${query}`, signal });
    const result = resultOf(body, `tunnels named ${name}`);
    if (!Array.isArray(result)) throw new Error(`Cloudflare: returned no list of tunnels named ${name}`);
    return result;
  };
  return {
    async find(name, signal) {
      for (let number = 1; number <= maxPages; number += 1) {
        const some = await page(name, number, signal);
        const found = some.map(tunnelOf).find((tunnel) => tunnel?.name === name);
        if (found !== undefined || some.length < pageSize) return found;
      }
      throw new Error(`Cloudflare: more than ${pageSize * maxPages} tunnels are listed for the name ${name}`);
    },
    async read(id, signal) {
      const result = await get(id, signal);
      return result === undefined ? undefined : tunnelOf(result);
    },
    async tokenOf(id, signal) {
      const { body } = await request({ method: 'GET', path: `${path}/${id}/token`, signal });
      const result = resultOf(body, `token of tunnel ${id}`);
      if (typeof result !== 'string' || !/^[\w+/=-]{16,4096}$/.test(result))
        throw new Error(`Cloudflare: returned no token of tunnel ${id}`);
      return result;
    },
    async rulesOf(id, signal) {
      const result = await get(`${id}/configurations`, signal);
      const config = isObject(result) ? result.config : undefined;
      const ingress = isObject(config) ? config.ingress : undefined;
      return Array.isArray(ingress) ? ingress.map(ruleIn) : [];
    },
  };
}

/** Creates a client, which keeps no connection open. */
export function cloudflareTunnels({ url, token, accountId, ...options }: CloudflareTunnelsOptions): CloudflareTunnels {
  const headers = { authorization: `Bearer ${token}` };
  const { request } = httpApi({ ...options, vendor: 'Cloudflare', url, headers, reasonOf, advice });
  const path = `/accounts/${accountId}/cfd_tunnel`;
  return {
    ...tunnelReads({ request, path }),
    async create(name, signal) {
      const change = { name, config_src: 'cloudflare' };
      const { status, body } = await request({ method: 'POST', path, body: change, signal, expected: [409] });
      if (status === 409) {
        const reason = reasonOf(body) ?? `there is a tunnel ${name}`;
        throw hasErrorCode(body, nameTaken)
          ? new ExternalAlreadyExistsError(`Cloudflare: ${reason}`)
          : new DefiniteError(`Cloudflare: creating tunnel ${name}: HTTP 409: ${reason}`);
      }
      const created = tunnelOf(resultOf(body, `creating tunnel ${name}`));
      if (created === undefined) throw new Error(`Cloudflare: tunnel ${name} was deleted as soon as it was created`);
      return created;
    },
    async rename(id, name, signal) {
      const { body } = await request({ method: 'PATCH', path: `${path}/${id}`, body: { name }, signal });
      resultOf(body, `renaming tunnel ${id}`);
    },
    async configure(id, rules, signal) {
      const change = { path: `${path}/${id}/configurations`, body: { config: { ingress: rules } } };
      const { body } = await request({ method: 'PUT', ...change, signal });
      resultOf(body, `configuring tunnel ${id}`);
    },
    async delete(id, signal) {
      const at = `${path}/${id}`;
      const closed = await request({ method: 'DELETE', path: `${at}/connections`, signal, expected: [404] });
      if (isAbsent(closed)) return 'gone';
      resultOf(closed.body, `closing the connections of tunnel ${id}`);
      const deleted = await request({ method: 'DELETE', path: at, signal, expected: [400, 404, 409] });
      const { status, body } = deleted;
      if (hasErrorCode(body, hasConnections)) return 'deleting';
      if (status === 400 || status === 409)
        throw new DefiniteError(`Cloudflare: deleting tunnel ${id}: HTTP ${status}: ${reasonOf(body) ?? 'no reason'}`);
      if (!isAbsent(deleted)) resultOf(body, `deleting tunnel ${id}`);
      return 'gone';
    },
  };
}
