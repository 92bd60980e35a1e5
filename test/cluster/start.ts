import { type Clock, systemClock } from '../../sdk/clock.ts';
import { createAddresses } from './addresses.ts';
import type { WebhookFunction } from './admission/transport.ts';
import type { Keys } from './auth/keys.ts';
import { openAuthorizer } from './auth/open-authorizer.ts';
import { createTokens } from './auth/tokens.ts';
import { firstSeeds, keepers, keptSeeds } from './bootstrap/first.ts';
import { commonSeeds, sow } from './bootstrap/seeds.ts';
import type { KubeletOptions } from './controllers/kubelet/kubelet.ts';
import { nodeNamed } from './controllers/kubelet/nodes.ts';
import { type ControllerModes, checkModes, type Modes } from './controllers/modes.ts';
import type { NamespaceOptions } from './controllers/namespaces.ts';
import type { ConversionFunction } from './conversion/review.ts';
import type { User } from './http/message.ts';
import { createJsonCache } from './http/represent.ts';
import { builtinResources } from './kinds/builtin.ts';
import type { ResourceInfo } from './kinds/resource-info.ts';
import { type Authorizer, type Machinery, timestampOf } from './machinery.ts';
import { createObject } from './objects/create.ts';
import { eventsView } from './objects/event-views.ts';
import { type ApiObject, type Draft, draftOf, type Fields } from './objects/object.ts';
import { updateObject } from './objects/update.ts';
import { profileOf } from './profiles.ts';
import { Registry, type Resource, resourceOf } from './registry.ts';
import { createRuleBook, type RuleBook } from './rule-book.ts';
import { drawSeed, randomFrom, type Seed } from './seeded-random.ts';
import { Store, type StoreState } from './store.ts';

/** What a cluster may be told; everything has a default. */
export interface ClusterOptions {
  /** Where its time comes from. @default the machine's clock */
  readonly clock?: Clock;
  /** In [0, 1). @default a generator seeded with `seed` */
  readonly random?: () => number;
  /** Repeats uids, generated names and addresses: a whole number, or 32 hexadecimal digits. @default drawn for each cluster: see `cluster.seed` */
  readonly seed?: Seed;
  /** Which controllers run by themselves (`auto`), when told to (`step`) or not at all (`off`). @default what every cluster needs, and pods run; `all` for Deployments, Jobs, Services and the like, too */
  readonly controllers?: 'all' | ControllerModes;
  /** Whether pods are bound, run and stop, and how fast; unused volumes can be deleted. @default true */
  readonly kubelet?: boolean | KubeletOptions;
  /** Whether objects go with their owners. @default true */
  readonly garbageCollector?: boolean;
  /** Whether deleted namespaces are emptied, and new ones get their ServiceAccount and root CA. @default true */
  readonly namespaceController?: boolean | NamespaceOptions;
  /** How many changes are remembered for watches and pages. @default 10_000 */
  readonly historyLimit?: number;
  /** ms between bookmarks. @default 60_000 */
  readonly bookmarkInterval?: number;
  /** Whether Roles and their bindings decide who may do what, as on a real server; else everybody may do everything. @default false */
  readonly rbac?: boolean;
  /** The administrator's bearer token, which kubeconfigs hold. @default drawn for each cluster */
  readonly adminToken?: string;
  /** Further bearer tokens, and for whom they stand. @default none */
  readonly tokens?: Readonly<Record<string, User>>;
  /** Webhooks inside this process, by the URL that configurations have for them (`https://name.namespace.svc:443/path` for services). @default none: all are called over HTTPS */
  readonly webhooks?: Readonly<Record<string, WebhookFunction>>;
  /** Webhooks inside this process that convert custom resources, by the URL that definitions have for them, as with `webhooks`. @default none: all are called over HTTPS */
  readonly conversionWebhooks?: Readonly<Record<string, ConversionFunction>>;
  /** Which version it is, from 1.27 to 1.34: decides discovery, streaming lists, what is served and which fields there are. @default 1.34 */
  readonly version?: string;
  /** The range of IPv4, from /12 to /30, that Services get their addresses from. @default 10.96.0.0/16 */
  readonly serviceRange?: string;
  /** Who issues the tokens of service accounts. @default https://kubernetes.default.svc.cluster.local */
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

/** The clock that a cluster has by its options. */
export const clockOf = ({ clock = systemClock }: ClusterOptions): Clock => clock;

/** Throws on options that do not exist. */
export function refuseUnknown(options: ClusterOptions): void {
  const unknown = Object.keys(options).find((name) => !(name in known));
  if (unknown !== undefined) {
    throw new TypeError(`createCluster has no option "${unknown}"; there are ${Object.keys(known).join(', ')}`);
  }
  if (options.controllers !== undefined) checkModes(options.controllers);
}

/** Events are stored once, in the form of core. */
const builtinResourceOf = (info: ResourceInfo): Resource =>
  info.group === 'events.k8s.io'
    ? resourceOf(info, '/events', eventsView)
    : resourceOf(info, `${info.group}/${info.plural}`);

/** Who the administrator is. */
export const administrator: User = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };

/** Options with what no two clusters have in common. */
export interface DrawnOptions extends ClusterOptions {
  readonly seed: Seed;
  readonly adminToken: string;
}

/** What a header can hold (RFC 6750). */
const bearerToken = /^[\w.~+/-]+=*$/;

/** Draws what was not chosen. Throws a TypeError for a token that no client could send. */
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
  ({ store }: Machinery) =>
  (namespace: string, name: string): boolean =>
    store.get('/services', `${namespace}/${name}`) !== undefined;

async function admissionOf(
  machinery: Machinery,
  { webhooks = {} }: ClusterOptions,
): ReturnType<Machinery['admission']> {
  const [{ createAdmission }, { transportWith }] = await Promise.all([
    import('./admission/create-admission.ts'),
    import('./admission/transport.ts'),
  ]);
  return createAdmission(machinery, transportWith({ functions: webhooks, hasService: hasServiceIn(machinery) }));
}

async function converterOf(
  machinery: Machinery,
  definition: ApiObject,
  { conversionWebhooks = {} }: ClusterOptions,
): ReturnType<Machinery['converterOf']> {
  const { webhookConversion } = await import('./conversion/webhook.ts');
  const { random } = machinery;
  const surroundings = { functions: conversionWebhooks, hasService: hasServiceIn(machinery), random };
  return webhookConversion(definition as unknown as Fields, surroundings);
}

async function messagesOf(rules: RuleBook): ReturnType<Machinery['messages']> {
  const [types, { createMessages }] = await Promise.all([rules.types(), import('./http/protobuf-messages.ts')]);
  return createMessages(types);
}

/** What a cluster is made with. */
export interface Beginning {
  readonly options: DrawnOptions;
  readonly keys: Keys;
  readonly requests: Machinery['requests'];
  /** What the store starts with. @default nothing */
  readonly state?: StoreState;
}

/** A store, and everything built in served. */
export async function createMachinery({ options, keys, requests, state }: Beginning): Promise<Machinery> {
  const clock = clockOf(options);
  const profile = profileOf(options.version ?? '1.34');
  const { seed, adminToken, random = randomFrom(seed), historyLimit } = options;
  let admission: ReturnType<Machinery['admission']> | undefined;
  let messages: ReturnType<Machinery['messages']> | undefined;
  const store = new Store({ ...(historyLimit !== undefined && { historyLimit }), ...(state && { state }) });
  const registry = new Registry();
  const rules = createRuleBook(profile);
  const { issuer = 'https://kubernetes.default.svc.cluster.local' } = options;
  const fixed = { ...options.tokens, [adminToken]: administrator };
  const machinery: Machinery = {
    store,
    registry,
    profile,
    version: profile.gitVersion,
    rules,
    clock,
    random,
    requests,
    jsonOf: createJsonCache(),
    messages: () => {
      messages ??= messagesOf(rules);
      return messages;
    },
    addresses: createAddresses(random, options.serviceRange),
    authorizer: await authorizerOf(store, options),
    tokens: createTokens({ store, registry, now: () => clock.now(), fixed, keys, issuer }),
    bookmarkInterval: options.bookmarkInterval ?? 60_000,
    authority: keys.authority,
    admission: () => {
      admission ??= admissionOf(machinery, options);
      return admission;
    },
    converterOf: (definition) => converterOf(machinery, definition, options),
    logOf: (typeof options.kubelet === 'object' ? options.kubelet.logs : undefined) ?? (() => ''),
  };
  for (const info of builtinResources) {
    const served = profile.served(info);
    if (served !== undefined) machinery.registry.add(builtinResourceOf(served));
  }
  return machinery;
}

/** What a cluster's nodes do; with all controllers there is a node from the start, and things are told by Events. */
export function kubeletOptionsOf({ kubelet, controllers }: ClusterOptions): KubeletOptions {
  const given = typeof kubelet === 'object' ? kubelet : {};
  if (controllers !== 'all') return given;
  return { events: true, nodes: [given.nodeName ?? 'in-memory-node'], ...given };
}

function populateNodes(machinery: Machinery, options: ClusterOptions): void {
  const resource = machinery.registry.find('v1', 'nodes')!;
  const facts = { version: machinery.version, now: timestampOf(machinery.clock.now()) };
  for (const [index, name] of (kubeletOptionsOf(options).nodes ?? []).entries()) {
    const node = createObject({ machinery, resource }, nodeNamed(name, index, facts) as unknown as Draft);
    updateObject({ machinery, resource }, node, {
      ...draftOf(node),
      spec: { ...(node.spec as object), taints: undefined },
    });
  }
}

const objectsOf = ({ store }: Machinery, collection: string) =>
  store.page(collection, { prefix: '' }).objects.map((object) => ({ collection, key: object.metadata.name, object }));

/** Gives a new cluster what it has from the start; what nobody looks at is not made. Controllers hear only of what is left to them. */
export async function populate(machinery: Machinery, options: ClusterOptions, modes: Modes): Promise<void> {
  const { store, addresses, authorizer } = machinery;
  addresses.takeIp(addresses.own);
  sow(machinery, { ...firstSeeds, ...commonSeeds });
  for (const name of keepers) if (modes[name] === 'auto') sow(machinery, keptSeeds[name]);
  if (keepers.some((name) => modes[name] === 'step')) store.announce(objectsOf(machinery, '/namespaces'));
  if (!authorizer.isOpen) sow(machinery, (await import('./auth/role-seeds.ts')).roleSeeds);
  populateNodes(machinery, options);
}
