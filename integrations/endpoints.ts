/** Addresses of third parties, as `endpoints` of integrations names them. */

import { isIPv6 } from 'node:net';

/** Host of a third party whose address is known only at run time: egress to its port is allowed at any address. */
export const anyHost = '*';

/** Port of a machine. */
interface HostPort {
  /** Name or address, or {@link anyHost}. */
  readonly host: string;
  readonly port: number;
}

/** Reports whether a value is a name or an address of a machine. */
export const isHost = (value: unknown): value is string =>
  typeof value === 'string' && (isIPv6(value) || /^[\w.-]{1,253}$/.test(value));

/** Returns the endpoint of a server. */
export const endpointAt = ({ host, port }: HostPort, protocol: 'tcp' | 'udp' = 'tcp'): string =>
  `${protocol}://${isIPv6(host) ? `[${host.replace(/%.*/, '')}]` : host}:${port}`;

/** Returns the endpoints of a name server. */
export const nameServerEndpoints = (server: HostPort): readonly string[] => [
  endpointAt(server, 'udp'),
  endpointAt(server, 'tcp'),
];
