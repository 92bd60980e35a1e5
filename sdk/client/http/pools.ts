/** Connection pools to an API server. */

import type { Dispatcher, Pool } from 'undici';
import type { Connection, TlsOptions } from '../config/connection.ts';

/** Connections to one server: `calls` shares a bounded number of them, each stream has its own. */
export interface ConnectionPools {
  readonly calls: Dispatcher;
  readonly streams: Dispatcher;
  /**
   * Makes later requests open new connections; those in progress finish on these connections. For a request that was never answered: it may have been sent over
   * a half-open connection, and the idle ones beside it may be half-open too.
   */
  replace(): void;
}

/** Connects to one server. */
export interface Dialer {
  dial(tls: TlsOptions): Promise<ConnectionPools>;
  close(): Promise<void>;
}

/** Options of {@link createDialer}. */
export interface DialerOptions {
  readonly connection: Connection;
  /** Limit of the connections for calls; further requests queue. */
  readonly connections: number;
}

const connectTimeout = 10_000;
/** ms until an idle connection is closed; shorter than the timeouts of servers and load balancers. */
const keepAliveTimeout = 30_000;

/** Loads only the pool, which saves 30 ms and 14 MB compared with all of undici. */
async function loadPool(): Promise<typeof Pool> {
  const path: string = 'undici/lib/dispatcher/pool.js';
  try {
    return ((await import(path)) as { default: typeof Pool }).default;
  } catch {
    return (await import('undici')).Pool;
  }
}

async function createDispatcher({ connection, connections }: DialerOptions, tls: TlsOptions): Promise<Dispatcher> {
  const { origin } = new URL(connection.server);
  const shared = {
    connections,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout,
    keepAliveMaxTimeout: keepAliveTimeout,
  };
  if (connection.proxy !== undefined) {
    const { ProxyAgent } = await import('undici');
    return new ProxyAgent({ ...shared, uri: connection.proxy, requestTls: { ...tls, timeout: connectTimeout } });
  }
  const PoolClass = await loadPool();
  return new PoolClass(origin, { ...shared, connect: { ...tls, timeout: connectTimeout, keepAlive: true } });
}

const tlsMembers = ['ca', 'cert', 'key', 'servername', 'rejectUnauthorized'] as const;

const sameTls = (one: TlsOptions, other: TlsOptions): boolean =>
  one === other || tlsMembers.every((member) => one[member] === other[member]);

/** Pools in use, the first for calls, the second for streams. */
interface PoolPair {
  readonly tls: TlsOptions;
  readonly pools: Promise<readonly Dispatcher[]>;
}

/** Creates a dialer. It connects on first use, and again when the TLS options change; requests in progress finish on the old connections. */
export function createDialer(options: DialerOptions): Dialer {
  const open = new Set<Dispatcher>();
  let current: PoolPair | undefined;

  const createPools = async (tls: TlsOptions): Promise<readonly Dispatcher[]> => {
    const pools = await Promise.all([
      createDispatcher(options, tls),
      createDispatcher({ ...options, connections: Number.MAX_SAFE_INTEGER }, tls),
    ]);
    for (const pool of pools) open.add(pool);
    return pools;
  };

  // `close` destroys the requests that are left when the dialer closes.
  const closePools = async ({ pools }: PoolPair): Promise<void> => {
    const closing = (await pools).map((pool) => pool.close().then(() => open.delete(pool)));
    await Promise.allSettled(closing);
  };

  const connect = (tls: TlsOptions): PoolPair => {
    const previous = current;
    const next = { tls, pools: createPools(tls) };
    current = next;
    if (previous !== undefined) next.pools.then(() => closePools(previous)).catch(() => undefined);
    return next;
  };

  return {
    async dial(tls) {
      const pair = current !== undefined && sameTls(current.tls, tls) ? current : connect(tls);
      const [calls, streams] = (await pair.pools) as [Dispatcher, Dispatcher];
      const replace = (): void => {
        if (pair === current) connect(tls);
      };
      return { calls, streams, replace };
    },
    async close() {
      await current?.pools.catch(() => undefined);
      await Promise.all([...open].map((dispatcher) => dispatcher.destroy()));
    },
  };
}
