/** Options of the ACME integration on how names are proved, and their validation. */

import { isIP } from 'node:net';
import { type DnsNameOptions, dnsNameRule } from '../dns/allowed-names.ts';
import { anyHost, endpointAt, nameServerEndpoints } from '../endpoints.ts';
import { type OptionChecks, optionChecks } from '../option-checks.ts';
import type { ChallengeType } from './authority.ts';
import { claimByDns, type PublishedDns, publishedTexts } from './challenge-records.ts';
import { dnsProof } from './dns-proof.ts';
import { claimByRoutes, httpProof, type ServedRoutes } from './http-proof.ts';
import { servedAtOf, servedText } from './http-self-check.ts';
import type { NameProof } from './proof.ts';

/** Pod that responds to challenges over HTTP. */
export interface ResponderOptions {
  /** Image with `node` in its path, of Node 20 or later, such as the operator's own. */
  readonly image: string;
}

/** Options on how names are proved. */
export interface NameProofOptions {
  /** `dns-01`: by TXT records; `http-01`: over HTTP, by a route of the workspace. @default 'dns-01' */
  readonly challenge?: ChallengeType;
  /**
   * Addresses of name servers, such as `192.0.2.53` or `192.0.2.53:5353`, which must have a challenge's record before its validation is requested.
   * @default the authoritative servers of its name
   */
  readonly nameServers?: readonly string[];
  /** For `http-01`: the pod that responds. */
  readonly responder?: ResponderOptions;
  /** For `http-01`: address at which the routes are served, such as `ingress-nginx-controller.ingress-nginx.svc:80`, where the operator cannot reach them by their names. @default what DNS says of each name */
  readonly servedAt?: string;
  /**
   * Names that workspaces may have certificates for: suffixes for all workspaces, or a function that decides for one workspace and a full name. To be given
   * for `http-01`, where no DNS integration gives each name to one workspace only. @default for `dns-01` all that the workspace publishes
   */
  readonly names?: DnsNameOptions['names'];
  /** DNS, for tests. @default the condition `DNS` of the workspace, and the name servers */
  readonly dns?: PublishedDns;
  /** Routes, for tests. @default the conditions of integrations that create routes, and the network */
  readonly routes?: ServedRoutes;
}

/** Names of the options in {@link NameProofOptions}. */
export const proofOptionNames = [
  'challenge',
  'nameServers',
  'responder',
  'servedAt',
  'names',
  'dns',
  'routes',
] as const satisfies readonly (keyof NameProofOptions)[];

const integration = 'acmeCertificate';
const { refuse, members }: OptionChecks = optionChecks(integration);

/** Reads an address such as `192.0.2.53`, `192.0.2.53:5353` or `[2001:db8::53]:53`; undefined when it is none. */
function nameServerAt(server: unknown): { readonly host: string; readonly port: number } | undefined {
  if (typeof server !== 'string') return undefined;
  if (isIP(server) !== 0) return { host: server, port: 53 };
  const [, bracketed, plain, port = '53'] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(server) ?? [];
  const host = bracketed ?? plain ?? '';
  return isIP(host) !== 0 && Number(port) <= 65_535 ? { host, port: Number(port) } : undefined;
}

function dnsOf({ dns, nameServers = [] }: NameProofOptions): PublishedDns {
  if (
    !Array.isArray(nameServers) ||
    nameServers.length > 8 ||
    !nameServers.every((server) => nameServerAt(server) !== undefined)
  )
    refuse('nameServers', 'a list of up to 8 addresses such as 192.0.2.53 or 192.0.2.53:5353', nameServers);
  return dns ?? { claimOf: claimByDns, texts: (record, signal) => publishedTexts(nameServers, record, signal) };
}

function imageOf({ responder, names }: NameProofOptions): string {
  members('responder', responder, ['image']);
  const image = responder?.image;
  if (typeof image !== 'string' || !/^[\w./:@-]{1,500}$/.test(image))
    return refuse('responder.image', 'an image with Node 20 or later', image ?? 'nothing');
  if (names === undefined)
    refuse('names', 'given with challenge http-01: which names each workspace may have certificates for');
  return image;
}

function routesOf({ routes, servedAt }: NameProofOptions): ServedRoutes {
  const at = servedAtOf(servedAt);
  if (servedAt !== undefined && at === undefined) refuse('servedAt', 'HOST or HOST:PORT', servedAt);
  return routes ?? { claimOf: claimByRoutes, read: (route, signal) => servedText(route, signal, at) };
}

function proofOf(options: NameProofOptions): NameProof {
  const { challenge = 'dns-01' } = options;
  const others = { 'dns-01': ['responder', 'servedAt', 'routes'], 'http-01': ['nameServers', 'dns'] } as const;
  if (!Object.hasOwn(others, challenge)) refuse('challenge', 'dns-01 or http-01', challenge);
  for (const other of others[challenge])
    if (options[other] !== undefined) refuse(other, `left out with challenge ${challenge}`);
  return challenge === 'dns-01' ? dnsProof(dnsOf(options)) : httpProof(routesOf(options), imageOf(options));
}

/** Returns the addresses of the self-check of challenges. */
export function endpointsOfProof({ challenge, nameServers = [], servedAt }: NameProofOptions): readonly string[] {
  if (challenge === 'http-01') {
    const { host, port } = servedAtOf(servedAt) ?? { host: anyHost, port: 80 };
    return [endpointAt({ host, port }), endpointAt({ host, port: 443 })]; // a redirect may lead to HTTPS
  }
  const servers = nameServers.map(nameServerAt).filter((server) => server !== undefined);
  return (servers.length === 0 ? [{ host: anyHost, port: 53 }] : servers).flatMap(nameServerEndpoints);
}

/** Validates the options. @throws TypeError naming the first missing, invalid or superfluous one */
export function checkedProof(options: NameProofOptions): NameProof {
  const proof = proofOf(options);
  const refusalOf = dnsNameRule(integration, { names: options.names, wildcards: true });
  return {
    ...proof,
    claimOf(workspace, names) {
      const reason = names.map((name) => refusalOf(workspace, name)).find((one) => one !== undefined);
      return reason === undefined ? proof.claimOf(workspace, names) : { status: 'Error', reason };
    },
  };
}
