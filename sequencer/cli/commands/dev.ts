import {
  aborted,
  type Integration,
  SecretRegistry,
  systemClock,
  UserError,
  type Workspace,
} from '../../../sdk/index.ts';
import { isOfClass } from '../../run/instance.ts';
import { drawnFrom, drawnOptions } from '../args/cluster-options.ts';
import {
  type Command,
  classNameOf,
  classOption,
  commonOptions,
  durationOf,
  type Invocation,
  workspaceOptions,
} from '../args/command.ts';
import { configFileFor, inPackage, loadConfig } from '../args/config.ts';
import { type LocatedManifest, readManifests } from '../args/manifests.ts';
import { type FollowedWorkspaces, follow, workspaceKeys } from '../output/follow.ts';
import { createLogger, logText } from '../output/log.ts';
import { createProgressOutput, type ProgressOutput } from '../output/progress-output.ts';
import { createInterrupt } from '../process/interrupt.ts';
import { type ConfigModules, followConfig } from '../reload/config-modules.ts';
import { reloadOnChange } from '../reload/reloading.ts';
import { createRestartableSequencer } from '../reload/restartable-sequencer.ts';
import { type Applied, applyAll, isWorkspace } from './apply.ts';
import { notesOn, refuseSettings } from './notes.ts';
import { openTargetCluster, type TargetCluster } from './target-cluster.ts';
import { deleteAndWait, waitUntilReady } from './wait.ts';

/** Default limit in ms for the deletion and, with `--once`, for readiness. */
const defaultTimeout = 300_000;

/** Parsed and loaded input of a run. */
interface DevRequest {
  readonly manifests: readonly LocatedManifest[];
  /** Class of the workspaces; undefined: those that name none. */
  readonly className: string | undefined;
  readonly integrations: readonly Integration[];
  /** Modules of the config, to be loaded again when they change; undefined with `--once`. */
  readonly modules: ConfigModules | undefined;
  readonly once: boolean;
  readonly keep: boolean;
  /** Limit in ms until all are ready; undefined: none. */
  readonly readyWithin: number | undefined;
  /** Limit in ms until all are gone. */
  readonly goneWithin: number;
}

/** Rejects options of the in-memory cluster when another cluster is used. @throws UserError E#2001 */
function refuseUnused({ kubeconfig, context, ...values }: Invocation['values']): void {
  const unused = Object.keys(drawnOptions).find((name) => values[name] !== undefined);
  if (unused === undefined || (kubeconfig === undefined && context === undefined)) return;
  throw new UserError('E#2001', `sequencer dev: --${unused} is for the in-memory cluster`, {
    hint: `leave out --${unused}, or --kubeconfig and --context`,
  });
}

/** Refuses workspaces that this sequencer would never walk. @throws UserError E#2001 */
function refuseOtherClasses(manifests: readonly LocatedManifest[], className: string | undefined): void {
  const other = manifests.find(({ object }) => isWorkspace(object) && !isOfClass(object as Workspace, className));
  if (other === undefined) return;
  const { className: named } = (other.object as Workspace).spec;
  throw new UserError('E#2001', `sequencer dev: ${other.where}: workspaces of this class are not walked here`, {
    hint: named === undefined ? 'leave out --class' : `--class ${named}, or leave out spec.className`,
  });
}

async function readScript({ values, flags, operands }: Invocation): Promise<DevRequest> {
  refuseUnused(values);
  const files = operands.length > 0 ? operands : [inPackage('examples/workspace.yaml')];
  const once = flags.has('once');
  const timeout = values.timeout === undefined ? undefined : durationOf('dev', 'timeout', values.timeout);
  const manifests = await readManifests(files, process.stdin);
  const className = values.class === undefined ? undefined : classNameOf('dev', values.class);
  refuseOtherClasses(manifests, className);
  const config = await configFileFor(values.config);
  const modules = once ? undefined : followConfig(config);
  const integrations = await (modules?.load() ?? loadConfig(config));
  refuseSettings(integrations, manifests);
  return {
    manifests,
    className,
    integrations,
    modules,
    once,
    keep: flags.has('keep'),
    readyWithin: timeout ?? (once ? defaultTimeout : undefined),
    goneWithin: timeout ?? defaultTimeout,
  };
}

/** Run in progress. */
interface DevRun {
  readonly request: DevRequest;
  readonly target: TargetCluster;
  readonly output: ProgressOutput;
  readonly following: FollowedWorkspaces;
  /** Aborts on the user's request to stop. */
  readonly interrupted: AbortSignal;
  /** Aborts, with the reason, when the run cannot continue. */
  readonly broken: AbortSignal;
}

/** Applies the manifests and waits until all are ready, or for Ctrl-C. */
async function goUp({ request, target, output, following, ...signals }: DevRun, applied: Applied[]): Promise<void> {
  const { client, namespace } = target;
  const signal = AbortSignal.any([signals.interrupted, signals.broken]);
  await applyAll(client, request.manifests, { namespace, signal, onApplied: (one) => applied.push(one) });
  const count = applied.filter(({ kind }) => kind.kind === 'Workspace').length;
  output.headline(`Walking ${count} workspace${count === 1 ? '' : 's'} to Ready`);
  const limits = { signal, timeout: request.readyWithin, clock: systemClock };
  await waitUntilReady(following, count, { ...limits, errors: request.once ? 'fatal' : 'shown' });
  if (request.once) return;
  output.headline(`Ready. Ctrl-C ${request.keep ? 'ends this and keeps them' : 'deletes what was applied'}.`);
  await aborted(signal);
}

/** Deletes the applied objects and waits until nothing is left. */
async function goDown(
  { request, target, output, following, interrupted, broken }: DevRun,
  applied: readonly Applied[],
): Promise<void> {
  if (request.keep || applied.length === 0) return;
  output.headline(`Deleting what was applied${interrupted.aborted ? '. Ctrl-C again leaves the rest as it is.' : ''}`);
  const { client } = target;
  await deleteAndWait(applied, { client, clock: systemClock, following, timeout: request.goneWithin, signal: broken });
  output.headline('Nothing is left');
}

/** Applies and, regardless of the result, deletes again. */
async function upAndDown(run: DevRun): Promise<void> {
  const applied: Applied[] = [];
  try {
    await goUp(run, applied);
  } catch (error) {
    if (!run.interrupted.aborted) {
      if (!run.broken.aborted) await goDown(run, applied);
      throw error;
    }
  }
  await goDown(run, applied);
}

/** Returns the lines on names that no integration answers for. */
const noteLines = (integrations: readonly Integration[], { manifests }: DevRequest): readonly string[] =>
  notesOn(integrations, manifests).map((note) => `note: ${note}`);

async function perform(run: Omit<DevRun, 'following' | 'broken'>, level: string): Promise<void> {
  const { request, target, output } = run;
  const { client, namespace } = target;
  const { manifests, modules } = request;
  const ended = new AbortController();
  const secrets = new SecretRegistry();
  const logger = await createLogger(level, { write: (line) => output.say(logText(line)) }, secrets);
  await using sequencer = createRestartableSequencer({
    client,
    logger,
    secrets,
    className: request.className,
    say: output.say,
  });
  await sequencer.start(request.integrations);
  const take = async (integrations: readonly Integration[]): Promise<void> => {
    output.say(...noteLines(integrations, request));
    await sequencer.start(integrations);
  };
  using _reloading = modules && reloadOnChange({ modules, take, say: output.say, clock: systemClock });
  try {
    const keys = workspaceKeys(
      manifests.map(({ object }) => object),
      namespace,
    );
    const integrations = () => sequencer.integrations;
    const options = { client, keys, integrations, logger, clock: systemClock, signal: ended.signal };
    const following = await follow({ ...options, onNews: output.news });
    output.watch(following);
    await upAndDown({ ...run, following, broken: sequencer.broken });
  } finally {
    ended.abort();
  }
}

async function rehearse(invocation: Invocation, request: DevRequest): Promise<void> {
  const { kubeconfig, context, namespace, 'log-level': level = 'warn' } = invocation.values;
  const colour = !process.env.NO_COLOR;
  using output = createProgressOutput({ sink: process.stdout, clock: systemClock, colour });
  const exit = () => {
    output[Symbol.dispose]();
    process.exit(130);
  };
  using interrupt = createInterrupt({ source: process, clock: systemClock, exit });
  const interrupted = interrupt.signal;
  try {
    const memory = drawnFrom(invocation.values);
    const where = { kubeconfig, context, namespace, memory };
    await using target = await openTargetCluster({ ...where, clock: systemClock, signal: interrupted });
    output.say(...target.about, '', ...noteLines(request.integrations, request));
    await perform({ request, target, output, interrupted }, level);
  } catch (error) {
    if (error !== interrupted.reason) throw error;
  }
}

/** `sequencer dev`, which is `npm start`. */
export const dev: Command = {
  name: 'dev',
  summary: 'apply workspaces, watch them become Ready, take up changed code, and delete them again on Ctrl-C',
  operands: '[FILE]...',
  options: {
    once: { type: 'boolean', description: 'delete as soon as all are Ready, and exit; exit 1 when one ends in Error' },
    keep: { type: 'boolean', description: 'do not delete what was applied' },
    kubeconfig: { type: 'string', value: 'FILE', description: 'a real cluster instead of the in-memory one' },
    ...drawnOptions,
    ...workspaceOptions,
    class: classOption,
    timeout: {
      type: 'string',
      value: 'TIME',
      description:
        'such as 90s or 5m: exit 1 when not Ready, or not gone, by then (default: 5m; without --once as long as it takes to be Ready)',
    },
    ...commonOptions,
  },
  examples: [
    ['sequencer dev', 'the example, in memory, until Ctrl-C'],
    ['sequencer dev --once my.yaml', 'up and down once, for scripts'],
    ['sequencer dev --kubeconfig ~/.kube/config --config my.config.ts my.yaml', 'on your cluster'],
    ['helm template my | sequencer dev -', 'from standard input'],
  ],
  async run(invocation) {
    const request = await readScript(invocation);
    using _modules = request.modules;
    await rehearse(invocation, request);
    return 0;
  },
};
