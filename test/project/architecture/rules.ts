/** Layers, their allowed imports, and import cycles. */

import { basename, dirname } from 'node:path/posix';
import type { Import, Scanned } from './source.ts';

/** Sentence that describes a violation, starting with the file. */
export type Violation = string;

/** Files that any layer may import. */
const leaves = [
  'sdk/aborted.ts',
  'sdk/clock.ts',
  'sdk/cut-text.ts',
  'sdk/deadline.ts',
  'sdk/errors.ts',
  'sdk/node-builtins.ts',
  'sdk/options.ts',
  'sdk/redact.ts',
  'sdk/retry.ts',
  'sdk/secret-encodings.ts',
  'sdk/secret-registry.ts',
  'sdk/suggest.ts',
  'sdk/thrown.ts',
];

/** The one file that an old Node has to read, which could not read a door. */
const beforeDoors = 'sdk/node-version.ts';

/** Layers and the other layers that each may import; a file belongs to the longest matching name. */
export const layers: Readonly<Record<string, readonly string[]>> = {
  'sdk/api': [],
  'sdk/client': ['sdk/api'],
  'sdk/reconcile': ['sdk/client', 'sdk/api'],
  'sdk/operator': ['sdk/reconcile', 'sdk/client', 'sdk/api'],
  'sdk/provider': ['sdk/reconcile', 'sdk/client', 'sdk/api'],
  sdk: ['sdk/operator', 'sdk/provider', 'sdk/reconcile', 'sdk/client', 'sdk/api'],
  'sdk/host': ['sdk/operator', 'sdk/provider', 'sdk/reconcile', 'sdk/client', 'sdk/api'],
  sequencer: ['sdk', 'sdk/host'],
  'sequencer/cli': ['sequencer', 'sdk', 'sdk/host', 'integrations', 'test/cluster', 'test/compliance'],
  integrations: ['sdk'],
  'test/cluster': ['sdk/api'],
  'test/compliance': ['sequencer', 'sdk', 'sdk/host', 'test/cluster'],
};

/** Rooms of a layer, lowest first; `.` is its own folder. A room may import those before it. */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  'sdk/client': ['.', 'config', 'http', 'cache', 'events', 'crds'],
  'sdk/reconcile': ['.', 'okt', 'grafana-app-sdk', 'operator-sdk-extra', 'operatorkit'],
  'sdk/operator': [
    'interrupt',
    '.',
    'queue',
    'engine',
    'controller',
    'watch-controller',
    'leader-election',
    'sharding',
  ],
  'sdk/provider': ['.', 'limits', 'host', 'contract', 'journal', 'guard', 'external', 'controller'],
  sequencer: ['tenants', 'engine', 'admission', 'planning', 'page', 'run', '.'],
  'sequencer/cli': [
    'output',
    'args',
    'process',
    'reload',
    'page',
    'scaffold',
    'prove',
    'envtest',
    'manifests',
    'doctor',
    'drain',
    'commands',
    '.',
  ],
  'test/compliance': ['subject', 'observation', 'scenario', 'resource', 'cases', '.'],
  'test/cluster': [
    'apimachinery',
    'storage',
    'pki',
    'resources',
    'requests',
    'schema',
    'managed-fields',
    'server',
    'cel',
    'crd',
    'apis',
    'encoding',
    'objects',
    'webhooks',
    'authn',
    'authz',
    'quota',
    'admission',
    'openapi',
    'discovery',
    'handlers',
    'routing',
    'controllers',
    'audit',
    'faults',
    'record',
    'transport',
    'bootstrap',
    '.',
  ],
};

/** Largest number of source files in a folder. */
export const maxRoomFiles = 20;

/** npm packages and the only places that load them; their types may be used anywhere. */
export const importers: Readonly<Record<string, readonly string[]>> = {
  undici: ['sdk/client/', 'test/cluster/', 'integrations/fetch-with-ca.ts', 'integrations/caddy/admin.ts'],
  '@kubernetes/client-node': ['sdk/client/'],
  'openid-client': ['sdk/client/'],
  immer: ['sdk/api/patch.ts', 'sdk/client/', 'sdk/provider/'],
  'async-mutex': ['sdk/provider/host/keyed-mutex.ts', 'integrations/http-api.ts'],
  'prom-client': ['sdk/metrics/'],
  '@opentelemetry/api': ['sdk/tracing/'],
  re2js: ['test/cluster/apimachinery/go/go-regexp.ts'],
  pino: ['sequencer/cli/', 'sequencer/run/run.ts'],
  zod: [
    'sdk/api/crd.ts',
    'sdk/api/integration-config-schema.ts',
    'sdk/api/workspace-schema.ts',
    'sdk/api/workspace-status-schema.ts',
    'integrations/',
  ],
  yaml: ['sdk/client/', 'sequencer/cli/', 'test/cluster/'],
  'xxhash-wasm': ['sequencer/run/shards.ts'],
  pg: ['integrations/postgres/connection.ts'],
  '@aws-sdk/client-s3': ['integrations/s3/clients.ts'],
  '@aws-sdk/client-iam': ['integrations/s3/clients.ts'],
  '@nats-io/jetstream': ['integrations/notify/jetstream.ts'],
  '@nats-io/transport-node': ['integrations/notify/jetstream.ts', 'integrations/notify/nats-transport.ts'],
  nodemailer: ['integrations/notify/mail-server.ts'],
  '@aws-sdk/client-route-53': ['integrations/route53/route53-api.ts'],
  '@octokit/webhooks-methods': ['integrations/github/index.ts'],
  // Types that @kubernetes/client-node's declarations use without depending on them.
  '@types/ws': [],
  '@peculiar/x509': ['sdk/webhooks/certificates/authority.ts'],
  'reflect-metadata': ['sdk/webhooks/certificates/authority.ts'],
};

/** Name of the package itself, as dependents import it. */
const self = 'workspace-sequencer';

const layerOf = (path: string): string | undefined =>
  Object.keys(layers)
    .filter((layer) => path.startsWith(`${layer}/`))
    .sort((a, b) => b.length - a.length)[0];

const topOf = (path: string): string => path.split('/', 1)[0]!;
const isPackage = ({ target }: Import): boolean => !/\.(tsx?|json)$/.test(target) && !target.startsWith('node:');

/** Returns the room of a file in its layer; undefined where the layer has none. */
function roomOf(path: string): string | undefined {
  const layer = layerOf(path);
  if (layer === undefined || rooms[layer] === undefined) return undefined;
  const rest = path.slice(layer.length + 1);
  return rest.includes('/') ? rest.split('/', 1)[0] : '.';
}

function climbing(from: string, to: string): string | undefined {
  const [mine, theirs] = [roomOf(from), roomOf(to)];
  if (mine === undefined || theirs === undefined) return undefined;
  const order = rooms[layerOf(from)!]!;
  if (!order.includes(theirs)) return `${theirs} is no room of ${layerOf(to)} (${to})`;
  return order.indexOf(theirs) > order.indexOf(mine) ? `room ${mine} may not import ${theirs} (${to})` : undefined;
}

/** Reports whether a file may import another one by its path, whatever their layers. */
const isFree = (from: string, to: string): boolean =>
  to === beforeDoors || (leaves.includes(to) && !['sequencer', 'integrations'].includes(topOf(from)));

function crossing(from: string, to: string): string | undefined {
  const [mine, theirs] = [layerOf(from), layerOf(to)];
  if (mine === undefined) return undefined;
  if (mine === theirs) return climbing(from, to);
  if (theirs === undefined) return `${mine} may not import ${to}`;
  if (isFree(from, to)) return undefined;
  if (!layers[mine]!.includes(theirs)) return `${mine} may not import ${theirs} (${to})`;
  const throughDoor = topOf(from) === topOf(to) || mine === 'test/cluster' || basename(to) === 'index.ts';
  return throughDoor ? undefined : `${to} is behind a door: import its index.ts`;
}

/** Returns the imports, including types, that violate the layers or bypass an entry point. */
export const layerViolations = (files: readonly Scanned[]): readonly Violation[] =>
  files.flatMap(({ path, imports }) =>
    imports
      .filter(({ target }) => /\.tsx?$/.test(target))
      .map(({ target }) => crossing(path, target) ?? strangers(path, target))
      .filter((why) => why !== undefined)
      .map((why) => `${path}: ${why}`),
  );

/** Returns the folders with more files than {@link maxRoomFiles}, those of folders in them not counted. */
export function fullRooms(files: readonly Scanned[]): readonly Violation[] {
  const sizes = new Map<string, number>();
  for (const { path } of files) sizes.set(dirname(path), (sizes.get(dirname(path)) ?? 0) + 1);
  return [...sizes]
    .filter(([, size]) => size > maxRoomFiles)
    .map(([folder, size]) => `${folder}: ${size} files, at most ${maxRoomFiles}`);
}

/** Rooms of `integrations` that several integrations share. */
const sharedRooms: readonly string[] = ['', 'aws', 'code-host', 'dns'];

/** Reports an import of an integration by another one or by a shared room. */
function strangers(from: string, to: string): string | undefined {
  const vendor = (path: string): string => path.split('/').slice(1, -1).join('/');
  const both = topOf(from) === 'integrations' && topOf(to) === 'integrations';
  return both && !sharedRooms.includes(vendor(to)) && vendor(from) !== vendor(to)
    ? `integrations do not know each other (${to})`
    : undefined;
}

/** Returns the packages loaded by files that may not load them, or that have no importers listed. */
export const importerViolations = (files: readonly Scanned[]): readonly Violation[] =>
  files.flatMap(({ path, imports }) =>
    imports
      .filter((one) => isPackage(one) && one.when !== 'type' && one.target !== self)
      .filter(({ target }) => !(importers[target] ?? []).some((place) => path.startsWith(place)))
      .map(({ target }) => `${path}: ${target} is loaded only by ${importers[target]?.join(', ') ?? 'no file'}`),
  );

/** Returns the import cycles, each once, smallest name first. */
export function cycles(files: readonly Scanned[]): readonly Violation[] {
  const edges = new Map(
    files.map(({ path, imports }) => [path, imports.filter(({ when }) => when === 'static').map((one) => one.target)]),
  );
  const finished = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      found.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
      return;
    }
    if (finished.has(path)) return;
    for (const next of edges.get(path) ?? []) visit(next, [...trail, path]);
    finished.add(path);
  };
  for (const path of edges.keys()) visit(path, []);
  return found;
}
