/** Connection pools to an API server. */

import type { Dispatcher, Pool } from 'undici';
import type { Connection, TlsOptions } from '../config/connection.ts';

/** Dispatchers to one server: `calls` shares a bounded number of connections, each stream has its own. */
export interface Dialer {
  dial(tls: TlsOptions): Promise<{ readonly calls: Dispatcher; readonly streams: Dispatcher }>;
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

type Pair = readonly [calls: Dispatcher, streams: Dispatcher];

/** Creates a dialer. It connects on first use, and anew when the TLS options change; requests in progress finish on the old connections. */
export function createDialer(options: DialerOptions): Dialer {
  const open = new Set<Dispatcher>();
  let current: { readonly tls: TlsOptions; readonly dispatchers: Promise<Pair> } | undefined;

  const make = async (tls: TlsOptions): Promise<Pair> => {
    const pair = await Promise.all([
      createDispatcher(options, tls),
      createDispatcher({ ...options, connections: Number.MAX_SAFE_INTEGER }, tls),
    ]);
    for (const dispatcher of pair) open.add(dispatcher);
    return pair;
  };

  // `close` destroys the requests that are left when the dialer closes.
  const closeDispatchers = async (dispatchers: Promise<Pair>): Promise<void> => {
    const closing = (await dispatchers).map((dispatcher) => dispatcher.close().then(() => open.delete(dispatcher)));
    await Promise.allSettled(closing);
  };

  return {
    async dial(tls) {
      if (current === undefined || !sameTls(current.tls, tls)) {
        const previous = current;
        current = { tls, dispatchers: make(tls) };
        if (previous !== undefined) void current.dispatchers.then(() => closeDispatchers(previous.dispatchers));
      }
      const [calls, streams] = await current.dispatchers;
      return { calls, streams };
    },
    async close() {
      await current?.dispatchers.catch(() => undefined);
      await Promise.all([...open].map((dispatcher) => dispatcher.destroy()));
    },
  };
}
