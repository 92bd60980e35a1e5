/** DNS records of dns-01 challenges: adds them to `status.dns`, and looks them up at the name servers. */

import { Resolver } from 'node:dns/promises';
import { findCondition, type Workspace, type WorkspaceStatus } from '../../sdk/index.ts';
import { wantedDns, withoutDot } from '../dns/records.ts';
import type { NameChallenge } from './authority.ts';
import type { NameClaim } from './proof.ts';

/** DNS names of a workspace, and their check from outside. */
export interface PublishedDns {
  /** Explains why a workspace does not own these names; undefined when it does. Pure. */
  claimOf(workspace: Workspace, names: readonly string[]): NameClaim;
  /** Reads the TXT records of a name where the authority will. */
  texts(name: string, signal: AbortSignal): Promise<readonly string[]>;
}

type DnsEntry = NonNullable<WorkspaceStatus['dns']>[number];

const isOfChallenge = ({ recordType, name }: DnsEntry): boolean =>
  recordType.toUpperCase() === 'TXT' && name.toLowerCase().startsWith('_acme-challenge.');

/** Returns `status.dns` with the records of these challenges in place of previous ones; undefined when it is up to date. */
export function withChallenges(
  entries: readonly DnsEntry[],
  challenges: readonly NameChallenge[],
): readonly DnsEntry[] | undefined {
  const wanted = challenges.map(({ name, text }) => ({ recordType: 'TXT', name, target: text }));
  const kept = entries.filter((entry) => !isOfChallenge(entry));
  const written = entries.filter(isOfChallenge).map(({ name, target }) => `${name} ${target}`);
  const isSame = written.join() === wanted.map(({ name, target }) => `${name} ${target}`).join();
  return isSame ? undefined : [...kept, ...wanted];
}

/**
 * Claim of names by the condition `DNS`: each is a name that the workspace publishes, which the DNS integration gives to one workspace only. Without it a
 * workspace could have a certificate for another's name, since authorities reuse recent proofs of an account.
 */
export function claimByDns(workspace: Workspace, names: readonly string[]): NameClaim {
  const { status, metadata } = workspace;
  const published = wantedDns(workspace, '192.0.2.1'); // the target does not matter here
  if (published.kind === 'problem') return { status: published.status, reason: published.reason };
  const own = new Set(published.records.filter(({ type }) => type !== 'TXT').map(({ name }) => name));
  const foreign = names.find((name) => !own.has(name));
  if (foreign !== undefined)
    return {
      status: 'Error',
      reason: `${foreign} is not published by this workspace: it may have a certificate for names of its ingress rules and of status.dns only`,
    };
  const condition = findCondition(status?.conditions, 'DNS');
  const isThere =
    condition?.observedGeneration === metadata.generation && /^(Completed|Healthy)$/.test(condition?.status ?? '');
  if (isThere) return undefined;
  const what =
    condition === undefined ? 'no DNS integration is registered that publishes' : 'waiting until DNS has published';
  return { status: 'Waiting', reason: `${what} ${names.slice(0, 3).join(', ')}` };
}

/** Codes of c-ares for "no such name" and "no record of this type". */
const noRecordCodes = new Set(['ENOTFOUND', 'ENODATA']);

async function emptyIfNone<T>(query: Promise<readonly T[]>): Promise<readonly T[]> {
  return query.catch((error: NodeJS.ErrnoException) => {
    if (noRecordCodes.has(error.code ?? '')) return [];
    throw error;
  });
}

/** Maximum number of queried name servers of a zone. */
const maxServers = 8;
/** Timeout in ms and number of attempts of a query. */
const resolverOptions = { timeout: 3_000, tries: 2 };

function resolverOf(servers: readonly string[], signal: AbortSignal): Resolver {
  const resolver = new Resolver(resolverOptions);
  if (servers.length > 0) resolver.setServers(servers);
  signal.addEventListener('abort', () => resolver.cancel(), { once: true });
  return resolver;
}

/** Returns the addresses of the authoritative name servers of a name, those of its nearest zone. @throws Error without any */
export async function nameServersOf(
  name: string,
  resolver: Pick<Resolver, 'resolveNs' | 'resolve4'>,
): Promise<readonly string[]> {
  for (let zone = name; zone.includes('.'); zone = zone.slice(zone.indexOf('.') + 1)) {
    const servers = (await emptyIfNone(resolver.resolveNs(zone))).slice(0, maxServers);
    const addresses = await Promise.all(servers.map((server) => emptyIfNone(resolver.resolve4(server))));
    const found = addresses.map(([address]) => address).filter((address) => address !== undefined);
    if (found.length > 0) return found;
  }
  throw new Error(`no name server is known for ${name}: set option nameServers`);
}

async function textsAt(server: readonly string[], name: string, signal: AbortSignal): Promise<readonly string[]> {
  const records = await emptyIfNone(resolverOf(server, signal).resolveTxt(name));
  return records.map((parts) => parts.join(''));
}

/**
 * Reads TXT records that all these name servers have. @param servers addresses such as `192.0.2.53:53`; empty: the authoritative servers, over IPv4
 */
export async function publishedTexts(
  servers: readonly string[],
  name: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const addresses = servers.length > 0 ? servers : await nameServersOf(withoutDot(name), resolverOf([], signal));
  const [first = [], ...others] = await Promise.all(addresses.map((server) => textsAt([server], name, signal)));
  return first.filter((text) => others.every((texts) => texts.includes(text)));
}
