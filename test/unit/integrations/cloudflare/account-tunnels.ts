/** Tunnels of one account at Cloudflare, in memory: what is refused, and what is answered. */

import { Refusal } from './zone-records.ts';

/** Tunnel as the account keeps it. */
interface StoredTunnel {
  readonly id: string;
  readonly name: string;
  readonly secret: string;
  readonly createdAt: string;
  readonly deletedAt: string | null;
  readonly rules: readonly AskedRule[];
  readonly version: number;
  /** Connectors that are connected. */
  readonly connections: number;
}

/** Rule as the API takes it. */
export interface AskedRule {
  readonly hostname?: string;
  readonly path?: string;
  readonly service?: string;
  readonly originRequest?: object;
}

/** Request below `/accounts/<id>/cfd_tunnel`. */
export interface TunnelRequest {
  readonly method: string;
  readonly query: URLSearchParams;
  readonly below: string;
  readonly body: {
    readonly name?: string;
    readonly config_src?: string;
    readonly tunnel_secret?: string;
    readonly config?: { readonly ingress?: readonly AskedRule[] };
  };
}

const envelope = (result: unknown, more: object = {}) => ({ success: true, errors: [], messages: [], result, ...more });

const absent = (): Refusal => new Refusal(404, 1001, 'Tunnel not found');
const isService = (service: unknown): boolean =>
  typeof service === 'string' && /^(https?|tcp|ssh|unix|rdp):\/\/\S+$|^http_status:\d{3}$|^hello_world$/.test(service);

/** Checks rules as the API does. @throws Refusal */
function checkRules(rules: readonly AskedRule[]): void {
  const last = rules.at(-1);
  if (last === undefined || last.hostname !== undefined || last.path !== undefined)
    throw new Refusal(400, 1056, 'Bad Configuration: The last ingress rule must match all URLs');
  for (const [index, { hostname, path, service }] of rules.entries()) {
    if (!isService(service)) throw new Refusal(400, 1056, `Bad Configuration: ${service} is not a valid service`);
    if (index < rules.length - 1 && hostname === undefined && path === undefined)
      throw new Refusal(400, 1056, `Bad Configuration: rule #${index + 1} matches all URLs, but is not the last one`);
    if (path !== undefined) new RegExp(path);
  }
}

/** Tunnels of an account. */
export class AccountTunnels {
  readonly #accountId: string;
  #all: readonly StoredTunnel[] = [];
  #made = 0;

  constructor(accountId: string) {
    this.#accountId = accountId;
  }

  /** Tunnels that are not deleted. */
  get all(): readonly StoredTunnel[] {
    return this.#all.filter(({ deletedAt }) => deletedAt === null);
  }

  /** Changes a tunnel, as a person or a connector does. */
  edit(id: string, change: Partial<Pick<StoredTunnel, 'name' | 'rules' | 'connections' | 'deletedAt'>>): void {
    this.#all = this.#all.map((tunnel) => (tunnel.id === id ? { ...tunnel, ...change } : tunnel));
  }

  /** Deletes all tunnels, as a person does. */
  clear(): void {
    for (const { id } of this.all) this.edit(id, { deletedAt: this.#time() });
  }

  /** Returns the token of a tunnel. */
  tokenOf({ id, secret }: Pick<StoredTunnel, 'id' | 'secret'>): string {
    return btoa(JSON.stringify({ a: this.#accountId, t: id, s: secret }));
  }

  /** Answers a request. @throws Refusal */
  answer({ method, query, below, body }: TunnelRequest): object {
    const [id = '', part = ''] = below.split('/');
    if (id === '') return method === 'POST' ? this.#create(body) : this.#list(query);
    const tunnel = this.#read(id);
    const handlers: Readonly<Record<string, () => object>> = {
      'GET ': () => envelope(this.#shown(tunnel)),
      'PATCH ': () => this.#rename(tunnel, body.name),
      'DELETE ': () => this.#delete(tunnel),
      'GET token': () => envelope(this.tokenOf(tunnel)),
      'GET configurations': () => envelope(this.#configuration(tunnel)),
      'PUT configurations': () => this.#configure(tunnel, body.config?.ingress ?? []),
      'GET connections': () => envelope([]),
      'DELETE connections': () => {
        this.edit(id, { connections: 0 });
        return envelope(null);
      },
    };
    const handler = handlers[`${method} ${part}`];
    if (handler === undefined) throw new Refusal(405, 10405, 'Method not allowed');
    return handler();
  }

  #time(): string {
    return new Date(Date.UTC(2026, 0, 1) + this.#made * 1_000).toISOString();
  }

  #read(id: string): StoredTunnel {
    const tunnel = this.all.find((one) => one.id === id);
    if (tunnel === undefined) throw absent();
    return tunnel;
  }

  #refuseTaken(name: string | undefined): asserts name is string {
    if (name === undefined || name === '') throw new Refusal(400, 1002, 'Tunnel name is required');
    if (this.all.some((one) => one.name === name))
      throw new Refusal(409, 1013, 'You already have a tunnel with this name. Choose another name.');
  }

  #create({ name, config_src: source, tunnel_secret: secret }: TunnelRequest['body']): object {
    this.#refuseTaken(name);
    if (source !== 'cloudflare' && source !== 'local') throw new Refusal(400, 1004, 'Invalid config_src');
    this.#made += 1;
    const id = `00000000-0000-4000-8000-${this.#made.toString(16).padStart(12, '0')}`;
    const made = { id, name, secret: secret ?? btoa(`the secret of tunnel ${this.#made} of the tests`) };
    const tunnel = { ...made, createdAt: this.#time(), deletedAt: null, rules: [], version: 0, connections: 0 };
    this.#all = [...this.#all, tunnel];
    return envelope(this.#shown(tunnel));
  }

  #list(query: URLSearchParams): object {
    const [name, deleted] = [query.get('name'), query.get('is_deleted')];
    const [number, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 20)];
    const hits = this.#all
      .filter((one) => name === null || one.name === name)
      .filter(({ deletedAt }) => deleted === null || deleted === '' || `${deletedAt !== null}` === deleted);
    const result = hits.slice((number - 1) * size, number * size).map((tunnel) => this.#shown(tunnel));
    const info = { page: number, per_page: size, count: result.length, total_count: hits.length };
    return envelope(result, { result_info: info });
  }

  #rename(tunnel: StoredTunnel, name: string | undefined): object {
    if (name !== tunnel.name) this.#refuseTaken(name);
    this.edit(tunnel.id, { name: name ?? tunnel.name });
    return envelope(this.#shown(this.#read(tunnel.id)));
  }

  #delete(tunnel: StoredTunnel): object {
    if (tunnel.connections > 0) throw new Refusal(400, 1022, 'Cannot delete tunnel because it has active connections');
    this.edit(tunnel.id, { deletedAt: this.#time() });
    return envelope(this.#shown({ ...tunnel, deletedAt: this.#time() }));
  }

  #configure(tunnel: StoredTunnel, rules: readonly AskedRule[]): object {
    checkRules(rules);
    this.#all = this.#all.map((one) => (one.id === tunnel.id ? { ...one, rules, version: one.version + 1 } : one));
    return envelope(this.#configuration(this.#read(tunnel.id)));
  }

  /** Describes the configuration: that of a new tunnel is null, and each rule is shown with its origin settings. */
  #configuration({ id, rules, version }: StoredTunnel): object {
    const ingress = rules.map((rule) => ({ originRequest: {}, ...rule }));
    const config = rules.length === 0 ? null : { ingress, 'warp-routing': { enabled: false } };
    return { tunnel_id: id, account_id: this.#accountId, version, config, source: 'cloudflare' };
  }

  #shown({ id, name, createdAt, deletedAt, connections }: StoredTunnel): object {
    return {
      ...{ id, name, account_tag: this.#accountId, created_at: createdAt, deleted_at: deletedAt },
      ...{
        status: connections > 0 ? 'healthy' : 'inactive',
        connections: [],
        remote_config: true,
        tun_type: 'cfd_tunnel',
      },
    };
  }
}
