/** Parsed input of `sequencer dev`. */

import { UserError } from '../../../sdk/index.ts';
import { isOfClass } from '../../run/operator-instance.ts';
import { withRepresentatives } from '../../tenants/tenant-integration.ts';
import { reproducibleOptions } from '../args/cluster-options.ts';
import { classNameOf, durationOf, type Invocation, portOf } from '../args/command.ts';
import { type Config, configFileFor, loadFullConfig, packagePath } from '../args/config.ts';
import { type LocatedManifest, readManifests } from '../args/manifests.ts';
import { hasModuleHooks } from '../process/module-hooks.ts';
import { type ConfigModules, followConfig } from '../reload/config-modules.ts';
import { isWorkspace } from './apply.ts';
import { refuseSettings } from './notes.ts';

/** Default limit in ms for the deletion and, with `--once`, for readiness. */
const defaultTimeout = 300_000;

/** Parsed and loaded input of a run. */
export interface DevRequest {
  readonly manifests: readonly LocatedManifest[];
  /** Class of the workspaces; undefined: those that name none. */
  readonly className: string | undefined;
  readonly config: Config;
  /** Runs instead of manifests; undefined if files are named. */
  readonly walkthrough: Config['walkthrough'];
  /** Modules of the config, to be loaded again when they change; undefined with `--once`. */
  readonly modules: ConfigModules | undefined;
  readonly once: boolean;
  /** Port of the page, 0 for any; undefined: no page. */
  readonly page: number | undefined;
  /** Enables the fault actions of the page. */
  readonly control: boolean;
  readonly keep: boolean;
  /** Limit in ms until all are ready; undefined: none. */
  readonly readyWithin: number | undefined;
  /** Timeout in ms of the deletion. */
  readonly goneWithin: number;
}

/** Returns the port of the page; undefined with `--once`, unless the option is given. */
function pageOf(port: string | undefined, once: boolean): number | undefined {
  if (port !== undefined) return portOf('dev', 'page', port);
  return once ? undefined : 0;
}

/** Rejects options of the in-memory cluster when another cluster is used. @throws UserError E#2001 */
function refuseUnused({ values: { kubeconfig, context, ...values }, flags }: Invocation): void {
  const unused =
    Object.keys(reproducibleOptions).find((name) => values[name] !== undefined) ??
    (flags.has('control') ? 'control' : undefined);
  if (unused === undefined || (kubeconfig === undefined && context === undefined)) return;
  throw new UserError('E#2001', `sequencer dev: --${unused} is for the in-memory cluster`, {
    hint: `leave out --${unused}, or --kubeconfig and --context`,
  });
}

/** Refuses workspaces that this sequencer would never walk. @throws UserError E#2001 */
function refuseOtherClasses(manifests: readonly LocatedManifest[], className: string | undefined): void {
  for (const { object, where } of manifests) {
    if (!isWorkspace(object) || isOfClass(object, className)) continue;
    const { className: found } = object.spec;
    const classText = found === undefined ? 'not set' : `"${found}"`;
    const expected = className === undefined ? 'there is no --class' : `--class is "${className}"`;
    throw new UserError('E#2001', `sequencer dev: ${where}: spec.className is ${classText}, but ${expected}`, {
      hint: found === undefined ? 'leave out --class' : `--class ${found}, or leave out spec.className`,
    });
  }
}

/** Returns the limits of time; without `--timeout`, only `--once` limits the time until all are ready. @throws UserError E#2001 */
function limitsOf(timeout: string | undefined, once: boolean): Pick<DevRequest, 'readyWithin' | 'goneWithin'> {
  if (timeout === undefined) return { readyWithin: once ? defaultTimeout : undefined, goneWithin: defaultTimeout };
  const limit = durationOf('dev', 'timeout', timeout);
  return { readyWithin: limit, goneWithin: limit };
}

/** Reads the example manifests; none for a config with a walkthrough, which creates its own objects. */
const defaultManifests = async ({ walkthrough }: Config): Promise<readonly LocatedManifest[]> =>
  walkthrough ? [] : readManifests([packagePath('examples/workspace.yaml')], process.stdin);

/** Reads the manifests and loads the config. @throws UserError E#2001 and those of both */
export async function readDevRequest(invocation: Invocation): Promise<DevRequest> {
  const { values, flags, operands } = invocation;
  refuseUnused(invocation);
  const once = flags.has('once');
  const limits = limitsOf(values.timeout, once);
  const named = operands.length > 0 ? await readManifests(operands, process.stdin) : undefined;
  const className = values.class === undefined ? undefined : classNameOf('dev', values.class);
  const file = await configFileFor(values.config);
  if (named !== undefined) refuseOtherClasses(named, className);
  const modules = once || !hasModuleHooks() ? undefined : followConfig(file);
  const config = await (modules?.load() ?? loadFullConfig(file));
  const walkthrough = named === undefined ? config.walkthrough : undefined;
  const manifests = named ?? (await defaultManifests(config));
  refuseOtherClasses(manifests, className);
  refuseSettings(withRepresentatives(config), manifests);
  return {
    manifests,
    className,
    config,
    walkthrough,
    modules,
    once,
    page: pageOf(values.page, once),
    control: flags.has('control'),
    keep: flags.has('keep'),
    ...limits,
  };
}
