/** Options of a cluster. */

import { type Clock, systemClock } from '../../../sdk/clock.ts';
import type { WebhookFunction } from '../admission/webhook-transport.ts';
import { drawSeed, type Seed } from '../apimachinery/seeded-random.ts';
import type { ControllerModes } from '../controllers/engine/modes.ts';
import type { KubeletOptions } from '../controllers/kubelet/kubelet.ts';
import type { NamespaceOptions } from '../controllers/namespaces/namespaces.ts';
import type { User } from '../requests/message.ts';
import type { ConversionFunction } from '../webhooks/conversion-review.ts';

/** Options of {@link createCluster}; all are optional. */
export interface ClusterOptions {
  /** Clock of the server and its controllers. @default the system clock */
  readonly clock?: Clock;
  /** Random source in [0, 1). @default a generator seeded with `seed` */
  readonly random?: () => number;
  /** Seed of uids, generated names and addresses: an integer, or 32 hexadecimal digits. @default drawn for each cluster */
  readonly seed?: Seed;
  /** Modes of the controllers; `all` adds Deployments, Jobs, Services and the like. @default those that every cluster needs, and pods, run */
  readonly controllers?: 'all' | ControllerModes;
  /** Schedules, runs and stops pods, with their delays; releases unused volumes for deletion. @default true */
  readonly kubelet?: boolean | KubeletOptions;
  /** Deletes objects whose owners are gone. @default true */
  readonly garbageCollector?: boolean;
  /** Empties deleted namespaces, and gives new ones their ServiceAccount and root CA. @default true */
  readonly namespaceController?: boolean | NamespaceOptions;
  /** Number of changes kept for watches and continue tokens. @default that of `StoreOptions` */
  readonly historyLimit?: number;
  /** Interval between bookmarks, in ms. @default 60_000 */
  readonly bookmarkInterval?: number;
  /** Authorizes requests by Roles and bindings; otherwise every request is allowed. @default false */
  readonly rbac?: boolean;
  /** Bearer token of the administrator, contained in kubeconfigs. @default drawn for each cluster */
  readonly adminToken?: string;
  /** Further bearer tokens, with their users. @default none */
  readonly tokens?: Readonly<Record<string, User>>;
  /** In-process webhooks by the URL in their configuration (`https://name.namespace.svc:443/path` for services). @default none: called over HTTPS */
  readonly webhooks?: Readonly<Record<string, WebhookFunction>>;
  /** In-process conversion webhooks by the URL in their definition, as `webhooks`. @default none: all are called over HTTPS */
  readonly conversionWebhooks?: Readonly<Record<string, ConversionFunction>>;
  /** Emulated version, 1.27 to 1.35: decides discovery, streaming lists, served resources, known fields, enums, columns and default roles. @default 1.34 */
  readonly version?: string;
  /** IPv4 range of Services, from /12 to /30. @default 10.96.0.0/16 */
  readonly serviceRange?: string;
  /** Issuer of service account tokens. @default https://kubernetes.default.svc.cluster.local */
  readonly issuer?: string;
}

/** Default of `bookmarkInterval`. */
export const defaultBookmarkInterval = 60_000;

/** Returns the clock of the options. */
export const clockOf = ({ clock = systemClock }: ClusterOptions): Clock => clock;

/** User of kubeconfigs and of `cluster.dispatcher`. */
export const administrator: User = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };

/** Options with the drawn values filled in. */
export interface ResolvedOptions extends ClusterOptions {
  readonly seed: Seed;
  readonly adminToken: string;
}

/** Syntax of a bearer token (RFC 6750). */
const bearerToken = /^[\w.~+/-]+=*$/;

/** Draws a missing seed and token. Throws a TypeError for a token that is not valid in a header. */
export function resolveOptions(options: ClusterOptions): ResolvedOptions {
  const { seed = drawSeed(), adminToken = drawSeed() } = options;
  if (!bearerToken.test(adminToken)) {
    throw new TypeError('adminToken is of letters, digits and -._~+/, with any number of = at its end');
  }
  return { ...options, seed, adminToken };
}

/** Returns the options of the emulated nodes; with all controllers there is a node from the start, and Events are recorded. */
export function kubeletOptionsOf({ kubelet, controllers }: ClusterOptions): KubeletOptions {
  const given = typeof kubelet === 'object' ? kubelet : {};
  if (controllers !== 'all') return given;
  return { events: true, nodes: [given.nodeName ?? 'in-memory-node'], ...given };
}
