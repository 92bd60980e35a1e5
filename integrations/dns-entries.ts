/** Entries of `status.dns`: DNS records of hosts that integrations request. */

import { isIPv4, isIPv6 } from 'node:net';
import type { Workspace, WorkspaceStatus } from '../sdk/index.ts';
import { isWithin, withoutDot } from './dns/records.ts';
import { askedRoutesOf, type RoutedHosts } from './ingress-rules.ts';

type DnsEntry = NonNullable<WorkspaceStatus['dns']>[number];

const recordType = (address: string): string => {
  if (isIPv4(address)) return 'A';
  return isIPv6(address) ? 'AAAA' : 'CNAME';
};

/** Types of records that say where a name leads. */
const leading: ReadonlySet<string> = new Set(['A', 'AAAA', 'CNAME']);

/** Current and previous hosts for which an integration requests records. */
type DnsHosts = Readonly<Record<'former' | 'hosts', readonly string[]>>;

/** Returns the entries by which other integrations of the workspace say where one of the hosts leads. Pure. */
export function otherEntries({ status }: Workspace, { former, hosts }: DnsHosts): readonly DnsEntry[] {
  const theirs = new Set(hosts.filter((host) => !former.includes(host)));
  return (status?.dns ?? []).filter(({ name, recordType: type }) => leading.has(type) && theirs.has(withoutDot(name)));
}

/** Returns the `reads` of an integration that routes hosts and publishes them: paths and records that others ask for at these hosts. Pure. */
export function hostReads(
  workspace: Workspace,
  routed: ReturnType<RoutedHosts>,
  former: readonly string[],
): readonly unknown[] {
  const hosts = typeof routed === 'string' ? [] : routed.map(({ host }) => host);
  return [askedRoutesOf(workspace), otherEntries(workspace, { former, hosts })];
}

/** Explains that another integration of the workspace says where a host leads; undefined when none does. `asks` is the field that asks for ours. Pure. */
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
  const made = hosts
    .filter((host) => zone !== '' && isWithin(host, zone))
    .flatMap((name) => addresses.map((target) => ({ recordType: recordType(target), name, target })));
  const all = [...kept, ...made];
  return all.length === 0 ? undefined : all;
}
