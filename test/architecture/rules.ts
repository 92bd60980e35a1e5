/** Layers, their allowed imports, and import cycles. */

import { basename } from 'node:path/posix';
import type { Import, Scanned } from './source.ts';

/** Sentence that describes a violation, starting with the file. */
export type Violation = string;

/** Files that any layer may import. */
const leaves = [
  'sdk/aborted.ts',
  'sdk/clock.ts',
  'sdk/deadline.ts',
  'sdk/errors.ts',
  'sdk/options.ts',
  'sdk/redact.ts',
  'sdk/retry.ts',
  'sdk/secret-registry.ts',
];

/** Layers and the other layers that each may import; a file belongs to the longest matching name. */
export const layers: Readonly<Record<string, readonly string[]>> = {
  'sdk/api': [],
  'sdk/client': ['sdk/api'],
  'sdk/reconcile': ['sdk/client', 'sdk/api'],
  'sdk/operator': ['sdk/reconcile', 'sdk/client', 'sdk/api'],
  'sdk/provider': ['sdk/reconcile', 'sdk/client', 'sdk/api'],
  sdk: ['sdk/operator', 'sdk/provider', 'sdk/reconcile', 'sdk/client', 'sdk/api'],
  sequencer: ['sdk'],
  'sequencer/cli': ['sequencer', 'sdk', 'test/cluster'],
  integrations: ['sdk'],
  'test/cluster': ['sdk/api'],
};

/** npm packages and the only places that load them; their types may be used anywhere. */
export const importers: Readonly<Record<string, readonly string[]>> = {
  undici: ['sdk/client/', 'test/cluster/'],
  '@kubernetes/client-node': ['sdk/client/'],
  immer: ['sdk/api/patch.ts', 'sdk/client/', 'sdk/provider/'],
  'async-mutex': ['sdk/provider/host/keyed-mutex.ts'],
  'prom-client': ['sdk/metrics/'],
  '@opentelemetry/api': ['sdk/tracing/'],
  re2js: ['test/cluster/schema/go-regexp.ts'],
  pino: ['sequencer/cli/', 'sequencer/run/run.ts'],
  zod: ['sdk/api/crd.ts', 'sdk/api/workspace-schema.ts', 'integrations/'],
  yaml: ['sdk/client/', 'sequencer/cli/', 'test/cluster/'],
  // Types that @kubernetes/client-node's declarations use without depending on them.
  '@types/ws': [],
};

/** Name of the package itself, as dependents import it. */
const self = 'workspace-sequencer';

const layerOf = (path: string): string | undefined =>
  Object.keys(layers)
    .filter((layer) => path.startsWith(`${layer}/`))
    .sort((a, b) => b.length - a.length)[0];

const topOf = (path: string): string => path.split('/', 1)[0]!;
const isPackage = ({ target }: Import): boolean => !/\.(ts|json)$/.test(target) && !target.startsWith('node:');

function crossing(from: string, to: string): string | undefined {
  const [mine, theirs] = [layerOf(from), layerOf(to)];
  if (mine === undefined || mine === theirs) return undefined;
  if (theirs === undefined) return `${mine} may not import ${to}`;
  if (leaves.includes(to) && !['sequencer', 'integrations'].includes(topOf(from))) return undefined;
  if (!layers[mine]!.includes(theirs)) return `${mine} may not import ${theirs} (${to})`;
  const throughDoor = topOf(from) === topOf(to) || mine === 'test/cluster' || basename(to) === 'index.ts';
  return throughDoor ? undefined : `${to} is behind a door: import its index.ts`;
}

/** Returns the imports, including types, that violate the layers or bypass an entry point. */
export const layerViolations = (files: readonly Scanned[]): readonly Violation[] =>
  files.flatMap(({ path, imports }) =>
    imports
      .filter(({ target }) => target.endsWith('.ts'))
      .map(({ target }) => crossing(path, target) ?? strangers(path, target))
      .filter((why) => why !== undefined)
      .map((why) => `${path}: ${why}`),
  );

/** Reports an import between two integrations: they share only files beside their folders. */
function strangers(from: string, to: string): string | undefined {
  const vendor = (path: string): string => path.split('/').slice(1, -1).join('/');
  const both = topOf(from) === 'integrations' && topOf(to) === 'integrations';
  return both && vendor(to) !== '' && vendor(from) !== vendor(to)
    ? `integrations do not know each other (${to})`
    : undefined;
}

/** Returns the packages loaded by files that may not load them, or that have no importers listed. */
export const importerViolations = (files: readonly Scanned[]): readonly Violation[] =>
  files.flatMap(({ path, imports }) =>
    imports
      .filter((one) => isPackage(one) && one.when !== 'type' && one.target !== self)
      .filter(({ target }) => !(importers[target] ?? []).some((place) => path.startsWith(place)))
      .map(({ target }) => `${path}: ${target} is loaded only by ${importers[target]?.join(', ') ?? 'nobody'}`),
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
