/** Config file with the integrations: discovery and loading. */

import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { suggestName } from '../../../sdk/host/index.ts';
import { type ConfiguredRunnable, type Integration, messageOf, UserError } from '../../../sdk/index.ts';
import { checkIntegrations, mistakeInIntegrations } from '../../run/check-integrations.ts';
import type { Walkthrough } from '../../run/walkthrough.ts';
import { type TenantIntegrations, withRepresentatives } from '../../tenants/tenant-integration.ts';
import { authorFrames } from '../output/author-frames.ts';
import { watchExit } from './config-exit.ts';
import { mistakeInRunnables, mistakeInTenantIntegrations, mistakeInWalkthrough } from './config-exports.ts';

const exampleExport =
  "export const integrations = [someIntegration({ … })];  // from 'workspace-sequencer/integrations/…'";

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

const generalHint =
  'it is a TypeScript (types that can be erased) or JavaScript module; --log-level debug shows where it failed';

/** Returns the line of the author's code that caused an error: the first of a syntax error's stack, or the frames of other errors; undefined without one. */
function codeLocationOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const [, path, line] =
    /^(\S[^?\n]*[\\/][^?\n]*?)(?:\?reload=\d+)?:(\d+)$/m.exec(error.stack?.split('\n', 1)[0] ?? '') ?? [];
  if (path !== undefined) return `in ${path.startsWith('file:') ? fileURLToPath(path) : path}:${line}`;
  return authorFrames({ type: error.name, stack: error.stack }).join('\n') || undefined;
}

/** Default timeout in ms of the import of a config. */
const defaultLoadTimeout = 60_000;

/** Imports a module with a timeout. The timer also keeps the process alive: Node exits silently when only a top-level await is pending. */
async function importWithTimeout(href: string, limit: number): Promise<object> {
  const late = Promise.withResolvers<never>();
  const text = `an await at its top level has not ended within ${limit / 1000} s`;
  const timer = setTimeout(() => late.reject(new Error(text)), limit);
  try {
    return await Promise.race([import(href), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function load(file: string, href: string, limit = defaultLoadTimeout): Promise<object> {
  if (!(await exists(file)))
    throw new UserError('E#2010', `there is no config ${file}`, { hint: 'name one with --config FILE' });
  using _exit = watchExit(file);
  try {
    return await importWithTimeout(href, limit);
  } catch (error) {
    throw new UserError('E#2011', `config ${file} does not load: ${messageOf(error)}`, {
      hint: codeLocationOf(error) ?? generalHint,
      cause: error,
    });
  }
}

const exportNames = ['integrations', 'runnables', 'tenantIntegrations', 'walkthrough'];

/** Describes a missing or misspelt export of a config module; undefined when there is none. */
function mistakeInExports(module: Readonly<Record<string, unknown>>): string | undefined {
  for (const name of Object.keys(module)) {
    const meant = !exportNames.includes(name) ? suggestName(name, exportNames) : undefined;
    if (meant !== undefined && !(meant in module)) return `it exports \`${name}\`; did you mean \`${meant}\`?`;
  }
  if ('integrations' in module) return undefined;
  const isDefault = 'default' in module || 'module.exports' in module;
  return `it exports no \`integrations\`${isDefault ? ', but a default; integrations are exported by name' : ''}`;
}

/**
 * Returns the integrations that a config module exports. @throws UserError E#2012 for an invalid export, E#3001 to E#3003 for conflicting
 * integrations
 */
export function integrationsOf(module: object, file: string): readonly Integration[] {
  const refuse = (what: string, cause?: unknown): never => {
    throw new UserError('E#2012', `config ${file}: ${what}`, { hint: exampleExport, cause });
  };
  const exported = module as Readonly<Record<string, unknown>>;
  const mistake = mistakeInExports(exported) ?? mistakeInIntegrations(exported.integrations);
  if (mistake !== undefined) return refuse(mistake);
  const integrations = exported.integrations as readonly Integration[];
  try {
    return checkIntegrations(integrations);
  } catch (error) {
    if (!(error instanceof UserError)) return refuse(messageOf(error), error);
    const { code, message, hint } = error;
    throw new UserError(code, `config ${file}: ${message}`, { cause: error, ...(hint !== undefined && { hint }) });
  }
}

/** Returns the runnables that a config module exports, none by default. @throws UserError E#2012 for an invalid export */
export function runnablesOf(module: object, file: string): readonly ConfiguredRunnable[] {
  const { runnables = [] } = module as { readonly runnables?: unknown };
  const mistake = mistakeInRunnables(runnables);
  if (mistake !== undefined)
    throw new UserError('E#2012', `config ${file}: ${mistake}`, {
      hint: 'export const runnables = [previews({ … }).runnable];',
    });
  return runnables as readonly ConfiguredRunnable[];
}

/** Returns the walkthrough that a config module exports, if any. @throws UserError E#2012 for an invalid export */
export function walkthroughOf(module: object, file: string): Walkthrough | undefined {
  const { walkthrough } = module as { readonly walkthrough?: Partial<Walkthrough> | null };
  if (walkthrough === undefined) return undefined;
  const mistake = mistakeInWalkthrough(walkthrough);
  if (mistake !== undefined)
    throw new UserError('E#2012', `config ${file}: ${mistake}`, {
      hint: 'export const walkthrough = { begin: async (stage) => {…}, end: async (stage) => ({}) };',
    });
  return walkthrough as Walkthrough;
}

/**
 * Returns the integration types that a config module opens to tenants, none by default.
 * @throws UserError E#2012 for an invalid export, E#3001 to E#3003 for one that conflicts with an integration
 */
export function tenantIntegrationsOf(module: object, file: string): TenantIntegrations {
  const { tenantIntegrations = {}, integrations = [] } = module as {
    readonly tenantIntegrations?: unknown;
    readonly integrations?: unknown;
  };
  const mistake = mistakeInTenantIntegrations(tenantIntegrations);
  if (mistake !== undefined)
    throw new UserError('E#2012', `config ${file}: ${mistake}`, {
      hint: "export const tenantIntegrations = { 'acme-dns': defineTenantIntegration({ … }) };",
    });
  const opened = tenantIntegrations as TenantIntegrations;
  try {
    const listed = integrations as readonly Integration[];
    checkIntegrations(withRepresentatives({ integrations: listed, tenantIntegrations: opened }), listed.length);
    return opened;
  } catch (error) {
    const {
      code,
      message,
      hint = exampleExport,
    } = error instanceof UserError ? error : new UserError('E#2012', messageOf(error));
    throw new UserError(code, `config ${file}: ${message}`, { cause: error, hint });
  }
}

/** All that a config exports. */
export interface Config {
  readonly integrations: readonly Integration[];
  readonly runnables: readonly ConfiguredRunnable[];
  readonly tenantIntegrations: TenantIntegrations;
  readonly walkthrough?: Walkthrough | undefined;
}

const fileUrlOf = (file: string): string => pathToFileURL(resolve(file)).href;

/** Loads all exports of a config file, from the module URL `href` if set. @throws UserError E#2010 to E#2012, E#3001 to E#3003 */
export async function loadFullConfig(file: string, href: string = fileUrlOf(file)): Promise<Config> {
  const module = await load(file, href);
  return {
    integrations: integrationsOf(module, file),
    runnables: runnablesOf(module, file),
    tenantIntegrations: tenantIntegrationsOf(module, file),
    walkthrough: walkthroughOf(module, file),
  };
}

/** Loads the integrations of a config file. @param limit timeout in ms. @throws UserError E#2010 to E#2012, E#3001 to E#3003 */
export const loadConfig = async (file: string, limit?: number): Promise<readonly Integration[]> =>
  integrationsOf(await load(file, fileUrlOf(file), limit), file);

/** Exports of a config that an operator runs by. */
export type OperatorConfig = Omit<Config, 'walkthrough'>;

/** Loads the exports that an operator uses. @throws UserError E#2010 to E#2012, E#3001 to E#3003 */
export async function loadOperatorConfig(file: string): Promise<OperatorConfig> {
  const module = await load(file, fileUrlOf(file));
  return {
    integrations: integrationsOf(module, file),
    runnables: runnablesOf(module, file),
    tenantIntegrations: tenantIntegrationsOf(module, file),
  };
}

/** Loads the integration types that a config file opens to tenants. @throws UserError E#2010 to E#2012, E#3001 to E#3003 */
export const loadTenantIntegrations = async (file: string): Promise<TenantIntegrations> =>
  tenantIntegrationsOf(await load(file, fileUrlOf(file)), file);

/** File names of the config in the current folder, in order of preference. */
const configNames = ['sequencer.config.ts', 'sequencer.config.js'] as const;

/** Returns the config file of a folder; undefined without one. */
export async function findConfig(folder: string): Promise<string | undefined> {
  for (const name of configNames) if (await exists(resolve(folder, name))) return name;
  return undefined;
}

/** Returns the config file of a folder. @throws UserError E#2010 without one */
export async function requireConfig(folder: string): Promise<string> {
  const found = await findConfig(folder);
  if (found !== undefined) return found;
  throw new UserError('E#2010', `there is no ${configNames.join(' or ')} in ${folder}`, {
    hint: 'name a config with --config FILE',
  });
}

/** Returns the absolute path of a file of this package. */
export const packagePath = (path: string): string =>
  fileURLToPath(new URL(path, import.meta.resolve('workspace-sequencer/package.json')));

/** Returns the runnable form of a source file: the source in a checkout, the built file in an installed package. */
export const programOf = (source: string): string =>
  packagePath(import.meta.url.endsWith('.ts') ? source : `dist/${source.replace(/\.ts$/, '.js')}`);

/** Returns the file of the named config, else of the current folder's, else of the example. */
export const configFileFor = async (file: string | undefined): Promise<string> =>
  file ?? (await findConfig(process.cwd())) ?? programOf('examples/sequencer.config.ts');
