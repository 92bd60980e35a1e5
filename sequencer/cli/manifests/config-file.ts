/** Config file of an operator, loaded to be installed. */

import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SecretRegistry, UserError } from '../../../sdk/index.ts';
import { loadOperatorConfig, type OperatorConfig } from '../args/config.ts';
import { registerModuleHooks } from '../process/module-hooks.ts';
import type { ConfigFile } from './configured.ts';

/** Loaded config. */
export interface LoadedConfig extends OperatorConfig {
  readonly file: string;
  /** Paths of the files that it imports, without packages. */
  readonly imports: readonly string[];
}

/** Loads a config file, and records the files that it imports. @throws UserError as {@link loadOperatorConfig} */
export async function loadConfigFile(file: string): Promise<LoadedConfig> {
  const href = pathToFileURL(resolve(file)).href;
  const imports = new Set<string>();
  const hooks = registerModuleHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      if (context.parentURL === href && /^(\.{0,2}\/|file:)/.test(specifier)) imports.add(fileURLToPath(resolved.url));
      return resolved;
    },
  });
  try {
    const config = await loadOperatorConfig(file);
    return { ...config, file, imports: [...imports] };
  } finally {
    hooks.deregister();
  }
}

/**
 * Returns the config as one file for a ConfigMap.
 * @throws UserError E#2013 for one that imports other files, or that contains a credential, since many users may read ConfigMaps
 */
export async function configFileOf({ file, integrations, runnables, imports }: LoadedConfig): Promise<ConfigFile> {
  const [imported] = imports;
  if (imported !== undefined)
    throw new UserError('E#2013', `config ${file} imports ${imported}: a ConfigMap holds only the config file`, {
      hint: 'put both into the image and add --config-in-image, or make the imported file a package of the image',
    });
  const text = await readFile(file, 'utf8');
  const secrets = new SecretRegistry();
  secrets.add(...[...integrations, ...runnables].flatMap((one) => one.secrets ?? []));
  if (secrets.isIn(text))
    throw new UserError('E#2013', `config ${file} holds a credential: many may read a ConfigMap`, {
      hint: 'read it from process.env, put it into a Secret, and name that with --credentials SECRET',
    });
  return { name: basename(file), text };
}
