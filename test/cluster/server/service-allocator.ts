/** Allocates IPs and ports for Services, each to one holder at a time. */
export interface ServiceAllocator {
  /** Range of the IPs, such as `10.96.0.0/16`. */
  readonly range: string;
  /** First IP of the range, the API server's own. */
  readonly apiServerIp: string;
  /** Allocates an IP, or the wanted one; undefined when that one is taken or outside the range. */
  allocateIp(wanted?: string): string | undefined;
  /** Reports whether an IP is in the range. */
  contains(ip: string): boolean;
  allocatePort(wanted?: number): number | undefined;
  /** Releases the IPs and ports of a Service. */
  release(held: { readonly ips: readonly string[]; readonly ports: readonly number[] }): void;
}
