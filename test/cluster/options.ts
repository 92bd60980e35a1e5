/** Options of a cluster, and the machinery and initial objects made from them. */

import { type Clock, systemClock } from '../../sdk/clock.ts';
import { createAddresses } from './addresses.ts';
import type { WebhookFunction } from './admission/transport.ts';
import type { Keys } from './auth/keys.ts';
import { openAuthorizer } from './auth/open-authorizer.ts';
import { createTokens } from './auth/tokens.ts';
import { commonObjects, createBootstrapObjects } from './bootstrap/bootstrap-objects.ts';
import { firstObjects, keepers, keptObjects } from './bootstrap/first-objects.ts';
import type { KubeletOptions } from './controllers/kubelet/kubelet.ts';
import { type ControllerModes, checkModes, type Modes } from './controllers/modes.ts';
import type { NamespaceOptions } from './controllers/namespaces.ts';
import { nodeNamed } from './controllers/node-lifecycle/nodes.ts';
import type { ConversionFunction } from './conversion/review.ts';
import type { User } from './http/message.ts';
import { createJsonCache } from './http/represent.ts';
import { builtinResources } from './kinds/builtin.ts';
import type { ResourceInfo } from './kinds/resource-info.ts';
import { createObject } from './objects/create.ts';
import { eventsView } from './objects/event-views.ts';
import { type ApiObject, type Draft, draftOf, type Fields } from './objects/object.ts';
import { updateObject } from './objects/update.ts';
import { profileOf } from './profiles.ts';
import { Registry, type Resource, resourceOf } from './registry.ts';
import { createScheme, type Scheme } from './scheme.ts';
import { drawSeed, randomFrom, type Seed } from './seeded-random.ts';
import { type Authorizer, type ServerContext, timestampOf } from './server-context.ts';
import { Store, type StoreState } from './store.ts';

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
  /** Number of changes kept for watches and continue tokens. @default 10_000 */
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
  /** Emulated version, 1.27 to 1.34: decides discovery, streaming lists, served resources and known fields. @default 1.34 */
  readonly version?: string;
  /** IPv4 range of Services, from /12 to /30. @default 10.96.0.0/16 */
  readonly serviceRange?: string;
  /** Issuer of service account tokens. @default https://kubernetes.default.svc.cluster.local */
  readonly issuer?: string;
}

const known: Readonly<Record<keyof ClusterOptions, true>> = {
  clock: true,
  random: true,
  seed: true,
  controllers: true,
  kubelet: true,
  garbageCollector: true,
  namespaceController: true,
  historyLimit: true,
  bookmarkInterval: true,
  rbac: true,
  adminToken: true,
  tokens: true,
  webhooks: true,
  conversionWebhooks: true,
  version: true,
  serviceRange: true,
  issuer: true,
};

/** Returns the clock of the options. */
export const clockOf = ({ clock = systemClock }: ClusterOptions): Clock => clock;

/** Throws a TypeError for unknown options. */
export function refuseUnknown(options: ClusterOptions): void {
  const unknown = Object.keys(options).find((name) => !(name in known));
  if (unknown !== undefined) {
    throw new TypeError(`createCluster has no option "${unknown}"; there are ${Object.keys(known).join(', ')}`);
  }
  if (options.controllers !== undefined) checkModes(options.controllers);
}

/** Events of both groups are stored once, in the form of core. */
const builtinResourceOf = (info: ResourceInfo): Resource =>
  info.group === 'events.k8s.io'
    ? resourceOf(info, '/events', eventsView)
    : resourceOf(info, `${info.group}/${info.plural}`);

/** User of kubeconfigs and of `cluster.dispatcher`. */
export const administrator: User = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };

/** Options with the drawn values filled in. */
export interface DrawnOptions extends ClusterOptions {
  readonly seed: Seed;
  readonly adminToken: string;
}

/** Syntax of a bearer token (RFC 6750). */
const bearerToken = /^[\w.~+/-]+=*$/;

/** Draws a missing seed and token. Throws a TypeError for a token that is not valid in a header. */
export function drawn(options: ClusterOptions): DrawnOptions {
  const { seed = drawSeed(), adminToken = drawSeed() } = options;
  if (!bearerToken.test(adminToken)) {
    throw new TypeError('adminToken is of letters, digits and -._~+/, with any number of = at its end');
  }
  return { ...options, seed, adminToken };
}

async function authorizerOf(store: Store, { rbac = false }: ClusterOptions): Promise<Authorizer> {
  return rbac ? (await import('./auth/rbac.ts')).createRbac(store) : openAuthorizer;
}

const hasServiceIn =
  ({ store }: ServerContext) =>
  (namespace: string, name: string): boolean =>
    store.get('/services', `${namespace}/${name}`) !== undefined;

async function admissionOf(
  server: ServerContext,
  { webhooks = {} }: ClusterOptions,
): ReturnType<ServerContext['admission']> {
  const [{ createAdmission }, { transportWith }] = await Promise.all([
    import('./admission/create-admission.ts'),
    import('./admission/transport.ts'),
  ]);
  return createAdmission(server, transportWith({ functions: webhooks, hasService: hasServiceIn(server) }));
}

async function converterOf(
  server: ServerContext,
  definition: ApiObject,
  { conversionWebhooks = {} }: ClusterOptions,
): ReturnType<ServerContext['converterOf']> {
  const { webhookConversion } = await import('./conversion/webhook.ts');
  const { random } = server;
  const surroundings = { functions: conversionWebhooks, hasService: hasServiceIn(server), random };
  return webhookConversion(definition as unknown as Fields, surroundings);
}

async function messagesOf(scheme: Scheme): ReturnType<ServerContext['messages']> {
  const [types, { createMessages }] = await Promise.all([scheme.types(), import('./http/protobuf-messages.ts')]);
  return createMessages(types);
}

/** Parameters of {@link createServerContext}. */
export interface ServerSetup {
  readonly options: DrawnOptions;
  readonly keys: Keys;
  readonly requests: ServerContext['requests'];
  /** Initial state of the store. @default empty */
  readonly state?: StoreState;
}

/** Creates a store and serves every built-in resource of the version. */
export async function createServerContext({ options, keys, requests, state }: ServerSetup): Promise<ServerContext> {
  const clock = clockOf(options);
  const profile = profileOf(options.version ?? '1.34');
  const { seed, adminToken, random = randomFrom(seed), historyLimit } = options;
  let admission: ReturnType<ServerContext['admission']> | undefined;
  let messages: ReturnType<ServerContext['messages']> | undefined;
  const store = new Store({ ...(historyLimit !== undefined && { historyLimit }), ...(state && { state }) });
  const registry = new Registry();
  const scheme = createScheme(profile);
  const { issuer = 'https://kubernetes.default.svc.cluster.local' } = options;
  const fixed = { ...options.tokens, [adminToken]: administrator };
  const server: ServerContext = {
    store,
    registry,
    profile,
    version: profile.gitVersion,
    scheme,
    clock,
    random,
    requests,
    jsonOf: createJsonCache(),
    messages: () => {
      messages ??= messagesOf(scheme);
      return messages;
    },
    addresses: createAddresses(random, options.serviceRange),
    authorizer: await authorizerOf(store, options),
    tokens: createTokens({ store, registry, now: () => clock.now(), fixed, keys, issuer }),
    bookmarkInterval: options.bookmarkInterval ?? 60_000,
    authority: keys.authority,
    admission: () => {
      admission ??= admissionOf(server, options);
      return admission;
    },
    converterOf: (definition) => converterOf(server, definition, options),
    logOf: (typeof options.kubelet === 'object' ? options.kubelet.logs : undefined) ?? (() => ''),
  };
  for (const info of builtinResources) {
    const served = profile.served(info);
    if (served !== undefined) server.registry.add(builtinResourceOf(served));
  }
  return server;
}

/** Returns the options of the emulated nodes; with all controllers there is a node from the start, and Events are recorded. */
export function kubeletOptionsOf({ kubelet, controllers }: ClusterOptions): KubeletOptions {
  const given = typeof kubelet === 'object' ? kubelet : {};
  if (controllers !== 'all') return given;
  return { events: true, nodes: [given.nodeName ?? 'in-memory-node'], ...given };
}

function populateNodes(server: ServerContext, options: ClusterOptions): void {
  const resource = server.registry.find('v1', 'nodes')!;
  const facts = { version: server.version, now: timestampOf(server.clock.now()) };
  for (const [index, name] of (kubeletOptionsOf(options).nodes ?? []).entries()) {
    const node = createObject({ server, resource }, nodeNamed(name, index, facts) as unknown as Draft);
    updateObject({ server, resource }, node, {
      ...draftOf(node),
      spec: { ...(node.spec as object), taints: undefined },
    });
  }
}

const objectsOf = ({ store }: ServerContext, collection: string) =>
  store.page(collection, { prefix: '' }).objects.map((object) => ({ collection, key: object.metadata.name, object }));

/** Creates a new cluster's initial objects, lazily; namespaces are announced only to controllers in mode `step`. */
export async function populate(server: ServerContext, options: ClusterOptions, modes: Modes): Promise<void> {
  const { store, addresses, authorizer } = server;
  addresses.takeIp(addresses.own);
  createBootstrapObjects(server, { ...firstObjects, ...commonObjects });
  for (const name of keepers) if (modes[name] === 'auto') createBootstrapObjects(server, keptObjects[name]);
  if (keepers.some((name) => modes[name] === 'step')) store.announce(objectsOf(server, '/namespaces'));
  if (!authorizer.isOpen) createBootstrapObjects(server, (await import('./auth/role-seeds.ts')).roleSeeds);
  populateNodes(server, options);
}
