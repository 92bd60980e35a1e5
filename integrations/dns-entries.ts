/** Entries of `status.dns`: DNS records of hosts that integrations request. */

import { isIPv4, isIPv6 } from 'node:net';
import type { Workspace, WorkspaceStatus } from '../sdk/index.ts';
import { isWithin, withoutDot } from './dns/records.ts';
import { type RoutedHosts, requestedRoutesOf } from './ingress-rules.ts';

type DnsEntry = NonNullable<WorkspaceStatus['dns']>[number];

const recordType = (address: string): string => {
  if (isIPv4(address)) return 'A';
  return isIPv6(address) ? 'AAAA' : 'CNAME';
};

/** Types of records that point to an address. */
const addressTypes: ReadonlySet<string> = new Set(['A', 'AAAA', 'CNAME']);

/** Current and previous hosts for which an integration requests records. */
type DnsHosts = Readonly<Record<'former' | 'hosts', readonly string[]>>;

/** Returns the entries of other integrations of the workspace that point one of the hosts to an address. Pure. */
export function otherEntries({ status }: Workspace, { former, hosts }: DnsHosts): readonly DnsEntry[] {
  const newHosts = new Set(hosts.filter((host) => !former.includes(host)));
  return (status?.dns ?? []).filter(
    ({ name, recordType: type }) => addressTypes.has(type) && newHosts.has(withoutDot(name)),
  );
}

/** Returns the `reads` of an integration that routes and publishes hosts: the paths and records that other integrations request for them. Pure. */
export function hostReads(
  workspace: Workspace,
  routed: ReturnType<RoutedHosts>,
  former: readonly string[],
): readonly unknown[] {
  const hosts = typeof routed === 'string' ? [] : routed.map(({ host }) => host);
  return [requestedRoutesOf(workspace), otherEntries(workspace, { former, hosts })];
}

/** Describes the conflict with another integration of the workspace that publishes one of the hosts; undefined without one. `asks` is the field that requests ours. Pure. */
export function mistakeInEntries(workspace: Workspace, hosts: DnsHosts, asks: string): string | undefined {
  const [entry] = otherEntries(workspace, hosts);
  return (
    entry &&
    `${asks}: status.dns has ${entry.recordType} ${entry.name} to ${entry.target}, which another integration of this workspace asks for: let one of an ingress and a tunnel publish the host`
  );
}

/** Returns `status.dns` with the hosts pointing to the addresses in place of those of `former` hosts; entries of others stay. */
export function dnsOf(
  { spec, status }: Workspace,
  { former, hosts, addresses }: DnsHosts & { readonly addresses: readonly string[] },
): readonly DnsEntry[] | undefined {
  const zone = withoutDot(spec.networking?.dns?.zone ?? '');
  const ours = new Set([...former, ...hosts]);
  const kept = (status?.dns ?? []).filter(({ name }) => !ours.has(withoutDot(name)));
  const added = hosts
    .filter((host) => zone !== '' && isWithin(host, zone))
    .flatMap((name) => addresses.map((target) => ({ recordType: recordType(target), name, target })));
  const all = [...kept, ...added];
  return all.length === 0 ? undefined : all;
}
