/** Options of the tunnel integration and their validation. */

import { type Clock, type RateLimits, systemClock } from '../../sdk/index.ts';
import { DriftSchedule } from '../drift-schedule.ts';
import { type RoutedHostOptions, type RoutedHosts, routedHostOptionNames, routedHosts } from '../ingress-rules.ts';
import { type OptionChecks, optionChecks } from '../option-checks.ts';
import type { ConnectorResources, ConnectorSettings } from './connector.ts';
import type { TunnelSettings } from './tunnel-resource.ts';
import type { CloudflareTunnelsOptions } from './tunnels.ts';

/** Connectors of all workspaces. */
export interface ConnectorOptions {
  /** Image of `cloudflared`, with its version: `docker.io/cloudflare/cloudflared:2026.7.0`. */
  readonly image: string;
  /** @default 1 */
  readonly replicas?: number;
  /** Requests and limits of the container. @default requests of 10m CPU and 64Mi memory */
  readonly resources?: ConnectorResources;
}

/** Options of {@link cloudflareTunnel}. */
export interface CloudflareTunnelOptions extends RoutedHostOptions {
  /** API token with the permission Cloudflare Tunnel: Edit for the account. */
  readonly token: string;
  /** Id of the account: 32 hexadecimal digits. */
  readonly accountId: string;
  /** Connector in the workspace's namespace. `false`: others run one, with the token in the Secret `<workspace>-tunneling`. */
  readonly connector: ConnectorOptions | false;
  /** First word of the names of tunnels: a-z, 0-9 and `-`, 16 characters at most. Differs for sequencers that share an account. @default 'ws' */
  readonly prefix?: string;
  /** Address of the API. @default 'https://api.cloudflare.com/client/v4' */
  readonly baseUrl?: string;
  /** Most requests at a time, for all workspaces together. @default 4 */
  readonly concurrency?: number;
  /** ms until a request fails. @default 10 000 */
  readonly deadline?: number;
  /** Maximum interval in ms between two drift checks, shortened by up to a quarter. @default 300 000 */
  readonly driftInterval?: number;
  /** Rate limits of the credential; integrations with one credential must share one object. @default 1 call per second, 20 at once */
  readonly limits?: RateLimits;
  /** @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch;
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** Jitter of the checks while a connector starts. @default Math.random */
  readonly random?: () => number;
}

/** {@link CloudflareTunnelOptions} with their defaults. */
export interface CheckedTunnelOptions extends CloudflareTunnelsOptions, TunnelSettings {
  readonly hosts: RoutedHosts;
  readonly connector: ConnectorSettings | undefined;
  /** Schedule of the checks while a connector starts. */
  readonly driftSchedule: DriftSchedule;
  readonly limits: RateLimits;
}

const {
  refuse,
  members,
  wholeNumber,
  baseUrl: checkedUrl,
  headerSecret,
}: OptionChecks = optionChecks('cloudflareTunnel');

const known = [
  ...['token', 'accountId', 'connector', 'prefix', 'baseUrl', 'concurrency', 'deadline', 'driftInterval'],
  ...['limits', 'fetch', 'clock', 'random', ...routedHostOptionNames],
];

function checkedAmounts(option: string, amounts: unknown): void {
  if (amounts === undefined) return;
  const isAmounts =
    typeof amounts === 'object' && amounts !== null && Object.values(amounts).every((one) => typeof one === 'string');
  if (!isAmounts) refuse(option, 'an object of quantities, such as { cpu: "10m", memory: "64Mi" }');
}

function checkedConnector(connector: ConnectorOptions | false): ConnectorSettings | undefined {
  if (connector === false) return undefined;
  members('connector', connector, ['image', 'replicas', 'resources']);
  const { image, replicas = 1, resources = { requests: { cpu: '10m', memory: '64Mi' } } } = connector;
  if (typeof image !== 'string' || !/^[\w./:@-]{3,512}$/.test(image))
    refuse('connector.image', 'an image of cloudflared with its version', image ?? 'nothing');
  members('connector.resources', resources, ['requests', 'limits']);
  checkedAmounts('connector.resources.requests', resources.requests);
  checkedAmounts('connector.resources.limits', resources.limits);
  return { image, replicas: wholeNumber('connector.replicas', replicas, { min: 1, max: 100 }), resources };
}

/** Validates the options and sets the defaults. @throws TypeError naming the first missing, invalid or unknown option */
export function checkedTunnelOptions(options: CloudflareTunnelOptions): CheckedTunnelOptions {
  members('options', options, known);
  const { token, accountId, prefix = 'ws', baseUrl = 'https://api.cloudflare.com/client/v4' } = options;
  const { driftInterval = 300_000, fetch = globalThis.fetch, clock = systemClock } = options;
  if (typeof accountId !== 'string' || !/^[0-9a-f]{32}$/.test(accountId))
    refuse('accountId', '32 hexadecimal digits', accountId ?? 'nothing');
  if (typeof prefix !== 'string' || !/^[a-z][a-z0-9-]{0,15}$/.test(prefix))
    refuse('prefix', 'up to 16 characters of a-z, 0-9 and -, the first a letter', prefix);
  if (typeof fetch !== 'function') refuse('fetch', 'a function');
  const interval = wholeNumber('driftInterval', driftInterval, { min: 1, max: 2 ** 31 - 1 });
  return {
    token: headerSecret('token', token),
    accountId,
    connector: checkedConnector(options.connector),
    hosts: routedHosts('cloudflareTunnel', options),
    prefix,
    url: checkedUrl('baseUrl', baseUrl),
    concurrency: wholeNumber('concurrency', options.concurrency ?? 4, { min: 1, max: 1000 }),
    deadline: wholeNumber('deadline', options.deadline ?? 10_000, { min: 1, max: 600_000 }),
    driftInterval: interval,
    driftSchedule: new DriftSchedule({
      name: 'cloudflareTunnel',
      driftInterval: interval,
      clock,
      random: options.random,
    }),
    limits: options.limits ?? { rate: 1, burst: 20 },
    fetch,
    clock,
  };
}
