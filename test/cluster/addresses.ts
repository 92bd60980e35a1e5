import type { Addresses } from './machinery.ts';

const firstPort = 30_000;
const ports = 2768;
const hosts = 65_534;

const ipOf = (index: number): string => `10.96.${(index + 1) >> 8}.${(index + 1) & 255}`;

const isOurs = (ip: string): boolean => ip.startsWith('10.96.');

/** Cluster addresses from 10.96.0.0/16 and node ports from 30000 to 32767, chosen by `random`. */
export function createAddresses(random: () => number): Addresses {
  const ips = new Set<string>();
  const taken = new Set<number>();
  const free = <T>(used: ReadonlySet<T>, count: number, itemOf: (index: number) => T): T | undefined => {
    const start = Math.floor(random() * count);
    for (let step = 0; step < count; step += 1) {
      const value = itemOf((start + step) % count);
      if (!used.has(value)) return value;
    }
    return undefined;
  };
  return {
    isOurs,
    takeIp(wanted) {
      if (wanted !== undefined && (ips.has(wanted) || !isOurs(wanted))) return undefined;
      const ip = wanted ?? free(ips, hosts, ipOf);
      if (ip !== undefined) ips.add(ip);
      return ip;
    },
    takePort(wanted) {
      if (wanted !== undefined && (taken.has(wanted) || wanted < firstPort || wanted >= firstPort + ports))
        return undefined;
      const port = wanted ?? free(taken, ports, (index) => firstPort + index);
      if (port !== undefined) taken.add(port);
      return port;
    },
    release({ ips: gone, ports: left }) {
      for (const ip of gone) ips.delete(ip);
      for (const port of left) taken.delete(port);
    },
  };
}
