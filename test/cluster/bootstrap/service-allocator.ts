/** Allocates the cluster IPs and node ports of Services. */

import type { ServiceAllocator } from '../server/service-allocator.ts';

const firstPort = 30_000;
const ports = 2768;

const numberOf = (ip: string): number => ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
const textOf = (ip: number): string => [24, 16, 8, 0].map((shift) => (ip >>> shift) & 255).join('.');
const isIp = (text: string): boolean => /^(\d{1,3}\.){3}\d{1,3}$/.test(text) && textOf(numberOf(text)) === text;

/** Parses a CIDR range into its first address, as a number, and its size. */
function parseRange(range: string): { readonly start: number; readonly size: number } {
  const [ip = '', bits = ''] = range.split('/');
  const size = 2 ** (32 - Number(bits));
  const isRange = isIp(ip) && /^\d+$/.test(bits) && size >= 4 && size <= 2 ** 20 && numberOf(ip) % size === 0;
  if (isRange) return { start: numberOf(ip), size };
  throw new TypeError(`serviceRange is "${range}"; it must be a range of IPv4 from /12 to /30, such as 10.0.0.0/24`);
}

/**
 * Allocates cluster IPs from a range and node ports from 30000 to 32767, chosen by `random`. Throws a TypeError for a
 * range that is not IPv4 from /12 to /30.
 */
export function createServiceAllocator(random: () => number, range = '10.96.0.0/16'): ServiceAllocator {
  const { start: base, size } = parseRange(range);
  const ipOf = (index: number): string => textOf(base + index + 1);
  const isOurs = (ip: string): boolean => isIp(ip) && numberOf(ip) >= base && numberOf(ip) < base + size;
  const allocatedIps = new Set<string>();
  const allocatedPorts = new Set<number>();
  const free = <T>(used: ReadonlySet<T>, count: number, itemOf: (index: number) => T): T | undefined => {
    const start = Math.floor(random() * count);
    for (let step = 0; step < count; step += 1) {
      const value = itemOf((start + step) % count);
      if (!used.has(value)) return value;
    }
    return undefined;
  };
  return {
    range,
    apiServerIp: ipOf(0),
    contains: isOurs,
    allocateIp(wanted) {
      if (wanted !== undefined && (allocatedIps.has(wanted) || !isOurs(wanted))) return undefined;
      const ip = wanted ?? free(allocatedIps, size - 2, ipOf);
      if (ip !== undefined) allocatedIps.add(ip);
      return ip;
    },
    allocatePort(wanted) {
      if (wanted !== undefined && (allocatedPorts.has(wanted) || wanted < firstPort || wanted >= firstPort + ports))
        return undefined;
      const port = wanted ?? free(allocatedPorts, ports, (index) => firstPort + index);
      if (port !== undefined) allocatedPorts.add(port);
      return port;
    },
    release({ ips: gone, ports: left }) {
      for (const ip of gone) allocatedIps.delete(ip);
      for (const port of left) allocatedPorts.delete(port);
    },
  };
}
