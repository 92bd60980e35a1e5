/** Options of the Caddy integration and their validation. */

import type { ConnectionOptions } from 'node:tls';
import { type Clock, type RateLimits, systemClock, type Workspace } from '../../sdk/index.ts';
import {
  type RoutedHostOptions,
  type RoutedHosts,
  type RoutedPath,
  routedHostOptionNames,
  routedHosts,
} from '../ingress-rules.ts';
import { type OptionChecks, optionChecks } from '../option-checks.ts';
import { type CaddyAdmin, caddyAdmin } from './admin.ts';

/** Service of a workspace, as a rule names it. */
export type RoutedService = Pick<RoutedPath, 'service' | 'port'>;

/** Options of {@link caddyRoutes}. */
export interface CaddyRoutesOptions extends RoutedHostOptions {
  /** Address of the admin API. @default 'http://127.0.0.1:2019' */
  readonly url?: string;
  /** Name of the HTTP server in Caddy's configuration: `apps.http.servers.<server>`. */
  readonly server: string;
  /** Certificates for an admin API behind TLS, as options of `tls.connect`. @default Node's */
  readonly tls?: ConnectionOptions;
  /** Returns the upstream address of a service, `host:port`. @default `<service>.<namespace>.svc:<port>` */
  readonly upstream?: (workspace: Workspace, service: RoutedService) => string;
  /** ms until a request fails. @default 5000 */
  readonly deadline?: number;
  /** Maximum interval in ms between two drift checks, shortened by up to a quarter. @default 60 000 */
  readonly driftInterval?: number;
  /** Rate limits of the server. @default 20 calls per second, 20 at once */
  readonly limits?: RateLimits;
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** Operations on the server, for tests. @default by its admin API */
  readonly operations?: CaddyAdmin;
}

/** Options with their defaults. */
export interface CheckedCaddyOptions {
  readonly url: string;
  readonly operations: CaddyAdmin;
  readonly hosts: RoutedHosts;
  readonly upstream: (workspace: Workspace, service: RoutedService) => string;
  readonly deadline: number;
  readonly driftInterval: number;
  readonly limits: RateLimits;
}

const { refuse, members, text, wholeNumber, baseUrl }: OptionChecks = optionChecks('caddyRoutes');

const known = [
  'url',
  'server',
  'tls',
  'upstream',
  'deadline',
  'driftInterval',
  'limits',
  'clock',
  'operations',
  ...routedHostOptionNames,
];

const serverName = { pattern: /^[\w-]{1,63}$/, expected: 'a name of letters, digits, _ and -' };

const inCluster = ({ metadata }: Workspace, { service, port }: RoutedService): string =>
  `${service}.${metadata.namespace}.svc:${port}`;

/** Validates the options and sets the defaults. @throws TypeError naming the first missing, invalid or unknown option */
export function checkedCaddyOptions(options: CaddyRoutesOptions): CheckedCaddyOptions {
  members('options', options, known);
  const { url = 'http://127.0.0.1:2019', tls, upstream = inCluster, clock = systemClock } = options;
  const server = text('server', options.server, serverName);
  if (tls !== undefined && (typeof tls !== 'object' || tls === null)) refuse('tls', 'options of tls.connect');
  if (typeof upstream !== 'function') refuse('upstream', 'a function (workspace, service) => host:port');
  const deadline = wholeNumber('deadline', options.deadline ?? 5000, { min: 1, max: 600_000 });
  const address = baseUrl('url', url);
  return {
    url: address,
    operations: options.operations ?? caddyAdmin({ url: address, server, tls, clock, deadline }),
    hosts: routedHosts('caddyRoutes', options),
    upstream,
    deadline,
    driftInterval: wholeNumber('driftInterval', options.driftInterval ?? 60_000, { min: 1, max: 2 ** 31 - 1 }),
    limits: options.limits ?? { rate: 20, burst: 20 },
  };
}
