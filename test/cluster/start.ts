import { type Clock, systemClock } from '../../sdk/clock.ts';
import { createAddresses } from './addresses.ts';
import type { WebhookFunction } from './admission/transport.ts';
import type { Keys } from './auth/keys.ts';
import { openAuthorizer } from './auth/open-authorizer.ts';
import { createTokens } from './auth/tokens.ts';
import { definitionController } from './controllers/definitions.ts';
import { garbageController } from './controllers/garbage.ts';
import { type KubeletOptions, kubeletController } from './controllers/kubelet.ts';
import type { Controller } from './controllers/loop.ts';
import { type NamespaceOptions, namespaceContentController, namespaceController } from './controllers/namespaces.ts';
import { storageController } from './controllers/storage.ts';
import type { User } from './http/message.ts';
import { createJsonCache } from './http/represent.ts';
import { builtinResources } from './kinds/builtin.ts';
import type { ResourceInfo } from './kinds/resource-info.ts';
import { type Authorizer, type Machinery, randomFrom } from './machinery.ts';
import { createObject } from './objects/create.ts';
import { eventsView } from './objects/event-views.ts';
import { profileOf } from './profiles.ts';
import { Registry, type Resource, resourceOf } from './registry.ts';
import { createRuleBook } from './rule-book.ts';
import { Store, type StoreState } from './store.ts';

/** What a cluster may be told; everything has a default. */
export interface ClusterOptions {
  /** Where its time comes from. @default the machine's clock */
  readonly clock?: Clock;
  /** In [0, 1). @default a generator seeded with `seed` */
  readonly random?: () => number;
  /** Makes uids, generated names and addresses repeatable. @default 1 */
  readonly seed?: number;
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
  /** Bearer tokens, and for whom they stand. @default none but the administrator's */
  readonly tokens?: Readonly<Record<string, User>>;
  /** Webhooks inside this process, by the URL that configurations have for them (`https://name.namespace.svc:443/path` for services). @default none: all are called over HTTPS */
  readonly webhooks?: Readonly<Record<string, WebhookFunction>>;
  /** Which version it is, from 1.27 to 1.34: decides discovery, streaming lists, what is served and which fields there are. @default 1.34 */
  readonly version?: string;
}

const known: Readonly<Record<keyof ClusterOptions, true>> = {
  clock: true,
  random: true,
  seed: true,
  kubelet: true,
  garbageCollector: true,
  namespaceController: true,
  historyLimit: true,
  bookmarkInterval: true,
  rbac: true,
  tokens: true,
  webhooks: true,
  version: true,
};

/** The clock that a cluster has by its options. */
export const clockOf = ({ clock = systemClock }: ClusterOptions): Clock => clock;

/** Throws on options that do not exist. */
export function refuseUnknown(options: ClusterOptions): void {
  const unknown = Object.keys(options).find((name) => !(name in known));
  if (unknown !== undefined) {
    throw new TypeError(`createCluster has no option "${unknown}"; there are ${Object.keys(known).join(', ')}`);
  }
}

const rbacVersion = 'rbac.authorization.k8s.io/v1';
const initialNamespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/** Events are stored once, in the form of core. */
const builtinResourceOf = (info: ResourceInfo): Resource =>
  info.group === 'events.k8s.io'
    ? resourceOf(info, '/events', eventsView)
    : resourceOf(info, `${info.group}/${info.plural}`);

/** The administrator's token, and who that is. */
export const administrator = {
  token: 'in-memory-admin',
  user: { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] },
} as const;

async function authorizerOf(store: Store, { rbac = false }: ClusterOptions): Promise<Authorizer> {
  return rbac ? (await import('./auth/rbac.ts')).createRbac(store) : openAuthorizer;
}

async function admissionOf(
  machinery: Machinery,
  { webhooks = {} }: ClusterOptions,
): ReturnType<Machinery['admission']> {
  const [{ createAdmission }, { transportWith }] = await Promise.all([
    import('./admission/create-admission.ts'),
    import('./admission/transport.ts'),
  ]);
  return createAdmission(machinery, transportWith(webhooks));
}

/** What a cluster is made with. */
export interface Beginning {
  readonly options: ClusterOptions;
  readonly keys: Keys;
  /** What the store starts with. @default nothing */
  readonly state?: StoreState;
}

/** A store, and everything built in served. */
export async function createMachinery({ options, keys, state }: Beginning): Promise<Machinery> {
  const clock = clockOf(options);
  const profile = profileOf(options.version ?? '1.34');
  const { seed = 1, random = randomFrom(seed), historyLimit } = options;
  let admission: ReturnType<Machinery['admission']> | undefined;
  const store = new Store({ ...(historyLimit !== undefined && { historyLimit }), ...(state && { state }) });
  const registry = new Registry();
  const fixed = { ...options.tokens, [administrator.token]: administrator.user };
  const machinery: Machinery = {
    store,
    registry,
    profile,
    version: profile.gitVersion,
    rules: createRuleBook(profile),
    clock,
    random,
    jsonOf: createJsonCache(),
    addresses: createAddresses(random),
    authorizer: await authorizerOf(store, options),
    tokens: createTokens({ store, registry, now: () => clock.now(), fixed, keys }),
    bookmarkInterval: options.bookmarkInterval ?? 60_000,
    authority: keys.authority,
    admission: () => {
      admission ??= admissionOf(machinery, options);
      return admission;
    },
  };
  for (const info of builtinResources) {
    const served = profile.served(info);
    if (served !== undefined) machinery.registry.add(builtinResourceOf(served));
  }
  return machinery;
}

/** The controllers that are switched on, in the order they hear of a change. */
export async function controllersOf(machinery: Machinery, options: ClusterOptions): Promise<Controller[]> {
  const { kubelet = true, garbageCollector = true, namespaceController: emptying = true } = options;
  const { registry } = machinery;
  const controllers = [
    definitionController(machinery, registry.find('apiextensions.k8s.io/v1', 'customresourcedefinitions')!),
  ];
  if (emptying !== false) {
    controllers.push(
      namespaceController(machinery, registry.find('v1', 'namespaces')!, emptying === true ? {} : emptying),
      namespaceContentController(machinery),
    );
  }
  if (options.rbac) {
    const { aggregationController } = await import('./auth/aggregation.ts');
    controllers.push(aggregationController(machinery, registry.find(rbacVersion, 'clusterroles')!));
  }
  if (garbageCollector) controllers.push(garbageController(machinery));
  if (kubelet !== false) {
    controllers.push(kubeletController(machinery, kubelet === true ? {} : kubelet), storageController(machinery));
  }
  return controllers;
}

async function populateRoles(machinery: Machinery): Promise<void> {
  const { bootstrapBindings, bootstrapRoles } = await import('./auth/bootstrap-roles.ts');
  const roles = machinery.registry.find(rbacVersion, 'clusterroles')!;
  const bindings = machinery.registry.find(rbacVersion, 'clusterrolebindings')!;
  for (const role of bootstrapRoles()) createObject({ machinery, resource: roles }, role);
  for (const binding of bootstrapBindings()) createObject({ machinery, resource: bindings }, binding);
}

/** The API server itself, as pods see it. */
const kubernetesService = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'kubernetes', namespace: 'default', labels: { component: 'apiserver', provider: 'kubernetes' } },
  spec: {
    clusterIP: '10.96.0.1',
    internalTrafficPolicy: 'Cluster',
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: 6443 }],
    sessionAffinity: 'None',
    type: 'ClusterIP',
  },
  status: { loadBalancer: {} },
};

/** Makes the namespaces that every cluster has, the API server's own service, and the roles of those with RBAC. */
export async function populate(machinery: Machinery): Promise<void> {
  const resource = machinery.registry.find('v1', 'namespaces')!;
  for (const name of initialNamespaces) {
    createObject({ machinery, resource }, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  createObject({ machinery, resource: machinery.registry.find('v1', 'services')! }, structuredClone(kubernetesService));
  if (!machinery.authorizer.isOpen) await populateRoles(machinery);
}
