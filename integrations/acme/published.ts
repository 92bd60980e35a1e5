/** DNS as the integration needs it: the names of a workspace, and the records that answer challenges. */

import { Resolver } from 'node:dns/promises';
import { findCondition, type Workspace, type WorkspaceStatus } from '../../sdk/index.ts';
import { wantedDns, withoutDot } from '../dns/records.ts';
import type { NameChallenge } from './authority.ts';
import type { NameClaim } from './proof.ts';

/** DNS, as a workspace and its certificate authority see it. */
export interface PublishedDns {
  /** Explains why a workspace does not hold these names; undefined when it does. Pure. */
  claimOf(workspace: Workspace, names: readonly string[]): NameClaim;
  /** Reads the TXT records of a name where the authority will. */
  texts(name: string, signal: AbortSignal): Promise<readonly string[]>;
}

type DnsEntry = NonNullable<WorkspaceStatus['dns']>[number];

const isOfChallenge = ({ recordType, name }: DnsEntry): boolean =>
  recordType.toUpperCase() === 'TXT' && name.toLowerCase().startsWith('_acme-challenge.');

/** Returns `status.dns` with the records of these challenges in place of those of former ones; undefined when it is as it should be. */
export function withChallenges(
  asked: readonly DnsEntry[],
  challenges: readonly NameChallenge[],
): readonly DnsEntry[] | undefined {
  const wanted = challenges.map(({ name, text }) => ({ recordType: 'TXT', name, target: text }));
  const kept = asked.filter((entry) => !isOfChallenge(entry));
  const written = asked.filter(isOfChallenge).map(({ name, target }) => `${name} ${target}`);
  const isSame = written.join() === wanted.map(({ name, target }) => `${name} ${target}`).join();
  return isSame ? undefined : [...kept, ...wanted];
}

/**
 * Claim of names by the condition `DNS`: each is a name that the workspace publishes, which the DNS integration gives to one workspace only. Without it a
 * workspace could have a certificate for another's name, since authorities do not ask again for what an account has proved lately.
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
const nothing = new Set(['ENOTFOUND', 'ENODATA']);

async function answered<T>(asking: Promise<readonly T[]>): Promise<readonly T[]> {
  return asking.catch((error: NodeJS.ErrnoException) => {
    if (nothing.has(error.code ?? '')) return [];
    throw error;
  });
}

/** Most name servers of a zone that are asked. */
const mostServers = 8;
/** ms until a question to a name server fails, and how often it is put. */
const asking = { timeout: 3_000, tries: 2 };

function resolverOf(servers: readonly string[], signal: AbortSignal): Resolver {
  const resolver = new Resolver(asking);
  if (servers.length > 0) resolver.setServers(servers);
  signal.addEventListener('abort', () => resolver.cancel(), { once: true });
  return resolver;
}

/** Returns the addresses of the name servers that answer for a name: those of the nearest zone above it. @throws Error when there are none */
export async function nameServersOf(
  name: string,
  resolver: Pick<Resolver, 'resolveNs' | 'resolve4'>,
): Promise<readonly string[]> {
  for (let zone = name; zone.includes('.'); zone = zone.slice(zone.indexOf('.') + 1)) {
    const servers = (await answered(resolver.resolveNs(zone))).slice(0, mostServers);
    const addresses = await Promise.all(servers.map((server) => answered(resolver.resolve4(server))));
    const found = addresses.map(([address]) => address).filter((address) => address !== undefined);
    if (found.length > 0) return found;
  }
  throw new Error(`no name server is known for ${name}: set option nameServers`);
}

async function textsAt(server: readonly string[], name: string, signal: AbortSignal): Promise<readonly string[]> {
  const records = await answered(resolverOf(server, signal).resolveTxt(name));
  return records.map((parts) => parts.join(''));
}

/**
 * Reads TXT records that all these name servers have. @param servers addresses such as `192.0.2.53:53`; none: those that answer for the name, over IPv4
 */
export async function publishedTexts(
  servers: readonly string[],
  name: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const asked = servers.length > 0 ? servers : await nameServersOf(withoutDot(name), resolverOf([], signal));
  const [first = [], ...others] = await Promise.all(asked.map((server) => textsAt([server], name, signal)));
  return first.filter((text) => others.every((texts) => texts.includes(text)));
}
