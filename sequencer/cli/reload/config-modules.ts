/** Reloads a config with the current code of its files. */

import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Config, loadFullConfig, packagePath } from '../args/config.ts';
import { registerModuleHooks } from '../process/module-hooks.ts';
import { ModuleGraph } from './module-graph.ts';

/** Config whose modules are tracked. */
export interface ConfigModules extends Disposable {
  /** Paths of its modules so far, without packages. */
  readonly files: ReadonlySet<string>;
  /** Records changed files; false if no module is among them. */
  change(paths: Iterable<string>): boolean;
  /** Loads the config: changed modules and their importers again, others from the module cache. @throws UserError as {@link loadFullConfig} */
  load(): Promise<Config>;
}

const versionMember = 'reload';

const pathOf = (url: string | undefined): string | undefined =>
  url?.startsWith('file:') ? fileURLToPath(url) : undefined;

/** Returns the path that a relative specifier names, whether or not there is a file. */
const relativePath = (specifier: string, parent: string): string | undefined =>
  /^\.{1,2}\//.test(specifier) ? fileURLToPath(new URL(specifier, parent)) : undefined;

/** Reports whether a path is in a package, or in this one: its modules are loaded once. */
function isPackaged(path: string, home: string): boolean {
  if (path.includes('node_modules')) return true;
  return path.startsWith(home) && /^(dist|sdk|sequencer|test)[/\\]/.test(path.slice(home.length));
}

/** Returns the URL of a version; version 0 is the unchanged URL. */
function versioned(url: string, version: number): string {
  if (version === 0) return url;
  const result = new URL(url);
  result.searchParams.set(versionMember, String(version));
  return result.href;
}

/** Follows the modules of a config, by a resolution hook for those that it imports, until it is disposed. CommonJS modules are loaded once. */
export function followConfig(file: string): ConfigModules {
  const graph = new ModuleGraph(resolve(file));
  const home = packagePath('.');
  const hooks = registerModuleHooks({
    resolve(specifier, context, next) {
      const { parentURL, conditions } = context;
      const importer = pathOf(parentURL);
      if (parentURL === undefined || importer === undefined || !graph.has(importer) || conditions.includes('require'))
        return next(specifier, context);
      const missing = relativePath(specifier, parentURL);
      if (missing !== undefined) graph.imports(importer, missing);
      const resolved = next(specifier, context);
      const path = pathOf(resolved.url);
      if (path === undefined || isPackaged(path, home)) return resolved;
      graph.imports(importer, path);
      return { ...resolved, url: versioned(resolved.url, graph.versionOf(path)) };
    },
  });
  const { href } = pathToFileURL(resolve(file));
  return {
    get files() {
      return graph.files;
    },
    change: (paths) => graph.change(paths),
    load: () => loadFullConfig(file, versioned(href, graph.rootVersion)),
    [Symbol.dispose]: () => hooks.deregister(),
  };
}
