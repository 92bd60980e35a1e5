/** Entries of `status.dns` by which integrations ask for DNS records of hosts. */

import { isIPv4, isIPv6 } from 'node:net';
import type { Workspace, WorkspaceStatus } from '../sdk/index.ts';
import { isWithin, withoutDot } from './dns/records.ts';

type DnsEntry = NonNullable<WorkspaceStatus['dns']>[number];

const recordType = (address: string): string => {
  if (isIPv4(address)) return 'A';
  return isIPv6(address) ? 'AAAA' : 'CNAME';
};

/** Returns `status.dns` with the hosts pointing to the addresses in place of those of `former` hosts; entries of others stay. */
export function dnsOf(
  { spec, status }: Workspace,
  { former, hosts, addresses }: Readonly<Record<'former' | 'hosts' | 'addresses', readonly string[]>>,
): readonly DnsEntry[] | undefined {
  const zone = withoutDot(spec.networking?.dns?.zone ?? '');
  const ours = new Set([...former, ...hosts]);
  const kept = (status?.dns ?? []).filter(({ name }) => !ours.has(withoutDot(name)));
  const made = hosts
    .filter((host) => zone !== '' && isWithin(host, zone))
    .flatMap((name) => addresses.map((target) => ({ recordType: recordType(target), name, target })));
  const all = [...kept, ...made];
  return all.length === 0 ? undefined : all;
}
