/** Proxies from the environment, and their validation. */

import { UserError } from '../../errors.ts';
import { nodeNet } from '../../node-builtins.ts';
import type { Connection } from './connection.ts';

/** Environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns a variable whose name may be in upper or lower case. */
const variable = (env: Environment, name: string): string | undefined =>
  env[name.toUpperCase()] || env[name.toLowerCase()];

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host);

/** Prefix length of an IPv4 and an IPv6 address, in bits. */
const addressBits = { 4: 32, 6: 128 };

/** Reports whether an address lies in a network in CIDR notation; false for any other text, as with Go's net.ParseCIDR. */
function inNetwork(host: string, network: string): boolean {
  const [, address = '', prefix] = /^(.*)\/(\d{1,3})$/.exec(network) ?? [];
  const { BlockList, isIP } = nodeNet();
  const [version, hostVersion] = [isIP(address), isIP(host)];
  if (version === 0 || hostVersion === 0 || Number(prefix) > addressBits[version as 4 | 6]) return false;
  const list = new BlockList();
  list.addSubnet(address, Number(prefix), `ipv${version as 4 | 6}`);
  return list.check(host, `ipv${hostVersion as 4 | 6}`);
}

/** Reports whether an entry of NO_PROXY covers the host: `*`, a domain and its subdomains, an address or a network, each with an optional port. */
function covers(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  if (inNetwork(host, entry)) return true;
  const { isIP } = nodeNet();
  const [, name = entry, onlyPort] = isIP(entry) === 0 ? (/^(.*?)(?::(\d+))?$/.exec(entry) ?? []) : [entry, entry];
  if (onlyPort !== undefined && onlyPort !== port) return false;
  const domain = name.replace(/^\[(.*)\]$/, '$1').replace(/^\*?\./, '');
  return host === domain || host.endsWith(`.${domain}`);
}

/** Returns the proxy for a server from the environment: HTTPS_PROXY or HTTP_PROXY, unless NO_PROXY covers it; never for loopback. */
export function environmentProxy(server: string, env: Environment): string | undefined {
  const { protocol, hostname, port } = new URL(server);
  const host = hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  const proxy = variable(env, protocol === 'https:' ? 'https_proxy' : 'http_proxy');
  if (proxy === undefined || isLoopback(host)) return undefined;
  const effectivePort = port || (protocol === 'https:' ? '443' : '80');
  const entries = (variable(env, 'no_proxy') ?? '').split(',').map((entry) => entry.trim().toLowerCase());
  if (entries.some((entry) => entry !== '' && covers(entry, host, effectivePort))) return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

/** Returns the connection after a check of its proxy URL, if any. @throws UserError E#1009 */
export function withCheckedProxy(connection: Connection): Connection {
  const { proxy, server } = connection;
  if (proxy === undefined || /^(https?|socks5?):$/.test(URL.parse(proxy)?.protocol ?? '')) return connection;
  throw new UserError(
    'E#1009',
    `the proxy for ${server} is ${JSON.stringify(proxy)} and not an http(s) or socks5 URL`,
    {
      hint: "see the kubeconfig's proxy-url, HTTPS_PROXY and NO_PROXY",
    },
  );
}
