/** Addresses that integrations connect to. */

/** Address of a third party. */
export interface Endpoint {
  /** Name or IP address, that of IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  readonly protocol: 'TCP' | 'UDP';
}

/** Ports of URLs that name none. */
const usual: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 };

/** Reads a URL with a host and a port; undefined for anything else. */
export function endpointOf(text: unknown): Endpoint | undefined {
  if (typeof text !== 'string' || !URL.canParse(text)) return undefined;
  const { hostname, port, protocol } = new URL(text);
  const number = port === '' ? usual[protocol] : Number(port);
  if (hostname === '' || number === undefined) return undefined;
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: number, protocol: protocol === 'udp:' ? 'UDP' : 'TCP' };
}
