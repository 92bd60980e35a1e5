/** Server of a cluster, made from its options, and its initial objects. */

import { timestampOf } from '../apimachinery/generated-metadata.ts';
import { type ApiObject, type Draft, draftOf, type Fields } from '../apimachinery/object.ts';
import type { ResourceInfo } from '../apimachinery/resource-info.ts';
import { randomFrom } from '../apimachinery/seeded-random.ts';
import { builtinResourcesWith } from '../apis/builtin-resources.ts';
import type { Keys } from '../authn/keys.ts';
import { createTokens } from '../authn/tokens.ts';
import { alwaysAllow } from '../authz/always-allow.ts';
import type { Modes } from '../controllers/engine/modes.ts';
import { nodeNamed } from '../controllers/node-lifecycle/nodes.ts';
import { createJsonCache } from '../encoding/representation.ts';
import { createObject } from '../objects/create.ts';
import { updateObject } from '../objects/update.ts';
import { eventsView } from '../resources/event-views.ts';
import { loadProfile } from '../resources/profiles.ts';
import { Registry, type Resource, resourceOf } from '../resources/registry.ts';
import type { Authorizer } from '../server/authorizer.ts';
import type { Scheme } from '../server/scheme.ts';
import type { ServerContext } from '../server/server-context.ts';
import { Store, type StoreState } from '../storage/store.ts';
import { registerBootstrapObjects, systemObjects } from './bootstrap-objects.ts';
import { namespacesAndService, perNamespaceControllers, perNamespaceObjects } from './initial-namespaces.ts';
import {
  administrator,
  type ClusterOptions,
  clockOf,
  defaultBookmarkInterval,
  kubeletOptionsOf,
  type ResolvedOptions,
} from './options.ts';
import { createScheme } from './scheme.ts';
import { createServiceAllocator } from './service-allocator.ts';

/** Events of both groups are stored once, in the form of core. */
const builtinResourceOf = (info: ResourceInfo): Resource =>
  info.group === 'events.k8s.io'
    ? resourceOf(info, '/events', eventsView)
    : resourceOf(info, `${info.group}/${info.plural}`);

async function authorizerOf(store: Store, { rbac = false }: ClusterOptions): Promise<Authorizer> {
  return rbac ? (await import('../authz/rbac.ts')).createRbacAuthorizer(store) : alwaysAllow;
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
    import('../admission/admission-chain.ts'),
    import('../admission/webhook-transport.ts'),
  ]);
  return createAdmission(server, transportWith({ functions: webhooks, hasService: hasServiceIn(server) }));
}

async function converterOf(
  server: ServerContext,
  definition: ApiObject,
  { conversionWebhooks = {} }: ClusterOptions,
): ReturnType<ServerContext['converterOf']> {
  const { webhookConversion } = await import('../webhooks/conversion-webhook.ts');
  const { random } = server;
  const surroundings = { functions: conversionWebhooks, hasService: hasServiceIn(server), random };
  return webhookConversion(definition as unknown as Fields, surroundings);
}

async function protobufEncoderOf(scheme: Scheme): ReturnType<ServerContext['protobufEncoder']> {
  const [types, { createProtobufEncoder }] = await Promise.all([
    scheme.types(),
    import('../encoding/protobuf-encoder.ts'),
  ]);
  return createProtobufEncoder(types);
}

/** Parameters of {@link createServerContext}. */
export interface ServerSetup {
  readonly options: ResolvedOptions;
  readonly keys: Keys;
  readonly requests: ServerContext['requests'];
  /** Initial state of the store. @default empty */
  readonly state?: StoreState;
}

/** Creates a store and serves every built-in resource of the version. */
export async function createServerContext({ options, keys, requests, state }: ServerSetup): Promise<ServerContext> {
  const clock = clockOf(options);
  const profile = await loadProfile(options.version);
  const { seed, adminToken, random = randomFrom(seed), historyLimit } = options;
  let admission: ReturnType<ServerContext['admission']> | undefined;
  let protobufEncoder: ReturnType<ServerContext['protobufEncoder']> | undefined;
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
    protobufEncoder: () => {
      protobufEncoder ??= protobufEncoderOf(scheme);
      return protobufEncoder;
    },
    serviceAllocator: createServiceAllocator(random, options.serviceRange),
    authorizer: await authorizerOf(store, options),
    tokens: createTokens({ store, registry, now: () => clock.now(), fixed, keys, issuer }),
    bookmarkInterval: options.bookmarkInterval ?? defaultBookmarkInterval,
    authority: keys.authority,
    admission: () => {
      admission ??= admissionOf(server, options);
      return admission;
    },
    converterOf: (definition) => converterOf(server, definition, options),
    logOf: (typeof options.kubelet === 'object' ? options.kubelet.logs : undefined) ?? (() => ''),
  };
  for (const info of builtinResourcesWith(profile.changes.tables.builtinTable)) {
    const served = profile.served(info);
    if (served !== undefined) server.registry.add(builtinResourceOf(served));
  }
  return server;
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
  const { store, serviceAllocator, authorizer } = server;
  serviceAllocator.allocateIp(serviceAllocator.apiServerIp);
  registerBootstrapObjects(server, { ...namespacesAndService, ...systemObjects });
  for (const name of perNamespaceControllers)
    if (modes[name] === 'auto') registerBootstrapObjects(server, perNamespaceObjects[name]);
  if (perNamespaceControllers.some((name) => modes[name] === 'step'))
    store.notifyExisting(objectsOf(server, '/namespaces'));
  if (!authorizer.isOpen) registerBootstrapObjects(server, (await import('./rbac-objects.ts')).rbacObjects);
  populateNodes(server, options);
}
