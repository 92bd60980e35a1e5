/** The command `sequencer dev`: runs a cluster in memory with a sequencer in it. */

import { createInterrupt } from '../../../sdk/host/index.ts';
import { aborted, ensureCrds, SecretRegistry, systemClock } from '../../../sdk/index.ts';
import { configKinds } from '../../tenants/tenant-integration.ts';
import { reproducibleFrom, reproducibleOptions } from '../args/cluster-options.ts';
import { type Command, classOption, commonOptions, type Invocation, workspaceOptions } from '../args/command.ts';
import type { Config } from '../args/config.ts';
import { type FollowedWorkspaces, follow, workspaceKeys } from '../output/follow.ts';
import { createLogger, logText } from '../output/log.ts';
import { createProgressOutput, type ProgressOutput } from '../output/progress-output.ts';
import type { DevPage } from '../page/dev-page.ts';
import { logUnhandledRejections } from '../process/unhandled-rejections.ts';
import { reloadOnChange } from '../reload/reloading.ts';
import { createRestartableSequencer, type RestartableSequencer } from '../reload/restartable-sequencer.ts';
import { type Applied, applyAll } from './apply.ts';
import { type DevRequest, readDevRequest } from './dev-request.ts';
import { notesOn } from './notes.ts';
import { openTargetCluster, type TargetCluster } from './target-cluster.ts';
import { beginWalkthrough, deleteAndWait, endWalkthrough, waitUntilReady } from './wait.ts';

/** Short durations of guards, with which a take-over takes seconds instead of almost a minute; for demonstrations of faults only. */
const shortTimes = { lease: 6000, maxRequest: 3000 } as const;

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

/** Applies the manifests and waits until all are ready. */
async function applyAndWait(
  { request, target, output, following }: DevRun,
  applied: Applied[],
  signal: AbortSignal,
): Promise<void> {
  const { client, namespace } = target;
  await applyAll(client, request.manifests, { namespace, signal, onApplied: (one) => applied.push(one) });
  const count = applied.filter(({ kind }) => kind.kind === 'Workspace').length;
  output.headline(`Walking ${count} workspace${count === 1 ? '' : 's'} to Ready`);
  const limits = { signal, timeout: request.readyWithin, clock: systemClock };
  await waitUntilReady(following, count, { ...limits, errors: request.once ? 'fatal' : 'shown' });
}

/** Returns the input of a walkthrough. */
const walkthroughOptionsOf = ({ target: { client }, output: { say }, following }: DevRun, signal: AbortSignal) => ({
  client,
  following,
  clock: systemClock,
  say,
  signal,
});

/** Applies the objects or starts the walkthrough, and waits for Ctrl-C. */
async function applyUntilStopped(run: DevRun, applied: Applied[]): Promise<void> {
  const { request, output } = run;
  const { walkthrough, readyWithin: timeout, keep, once } = request;
  const signal = AbortSignal.any([run.interrupted, run.broken]);
  if (walkthrough === undefined) await applyAndWait(run, applied, signal);
  else await beginWalkthrough(walkthrough, { ...walkthroughOptionsOf(run, signal), timeout });
  if (once) return;
  const end = walkthrough === undefined ? 'deletes what was applied' : 'ends the walkthrough';
  output.headline(`Ready. Ctrl-C ${keep ? 'exits and keeps the objects' : end}.`);
  await aborted(signal);
}

/** Deletes the applied objects, or ends the walkthrough, and waits until nothing is left. */
async function deleteAgain(run: DevRun, applied: readonly Applied[]): Promise<void> {
  const { request, target, output, following, interrupted, broken } = run;
  const { walkthrough, keep, goneWithin: timeout } = request;
  if (keep || (applied.length === 0 && walkthrough === undefined)) return;
  const again = interrupted.aborted ? '. Ctrl-C again leaves the rest as it is.' : '';
  output.headline(`${walkthrough === undefined ? 'Deleting what was applied' : 'Ending the walkthrough'}${again}`);
  if (walkthrough !== undefined) {
    output.headline(await endWalkthrough(walkthrough, { ...walkthroughOptionsOf(run, broken), timeout }));
    return;
  }
  const { client } = target;
  await deleteAndWait(applied, { client, clock: systemClock, following, timeout: request.goneWithin, signal: broken });
  output.headline('Nothing is left');
}

/** Applies and, regardless of the result, deletes again. */
async function applyAndDelete(run: DevRun): Promise<void> {
  const applied: Applied[] = [];
  try {
    await applyUntilStopped(run, applied);
  } catch (error) {
    if (!run.interrupted.aborted) {
      if (!run.broken.aborted) await deleteAgain(run, applied);
      throw error;
    }
  }
  await deleteAgain(run, applied);
}

/** Returns the lines on names that no integration answers for. */
const noteLines = (config: Config, { manifests }: DevRequest): readonly string[] =>
  notesOn(config, manifests).map((note) => `note: ${note}`);

/** Returns a note if changes of the config's files are not reloaded. */
const reloadNotes = ({ once, modules }: DevRequest): readonly string[] =>
  once || modules ? [] : ['note: this runtime cannot watch the files of a config: restart to load changes'];

/** Returns the parts of a config to start; its runnables only with its walkthrough, since they create workspaces. */
const startedPartsOf = ({ integrations, tenantIntegrations, runnables }: Config, { walkthrough }: DevRequest) =>
  walkthrough === undefined ? { integrations, tenantIntegrations } : { integrations, tenantIntegrations, runnables };

/** Opens the page if it is enabled; its code is loaded then. */
async function pageFor(
  { request, target, output }: Pick<DevRun, 'request' | 'target' | 'output'>,
  parts: { readonly sequencer: RestartableSequencer; readonly secrets: SecretRegistry },
): Promise<DevPage | undefined> {
  const { page: port, control, className } = request;
  if (port === undefined) return undefined;
  const { openDevPage } = await import('../page/dev-page.ts');
  const { cluster } = target;
  const client = target.connect('sequencer-page');
  return openDevPage({ ...parts, port, client, className, cluster, control, clock: systemClock, say: output.say });
}

async function runWithCluster(run: Omit<DevRun, 'following' | 'broken'>, level: string): Promise<void> {
  const { request, target, output } = run;
  const { client, namespace } = target;
  const { manifests, modules, config, walkthrough } = request;
  const ended = new AbortController();
  const secrets = new SecretRegistry();
  const logger = await createLogger(level, { write: (line) => output.say(logText(line)) }, secrets);
  using _rejections = logUnhandledRejections(logger);
  await using sequencer = createRestartableSequencer({
    connect: () => target.connect('sequencer-dev'),
    logger,
    secrets,
    className: request.className,
    times: request.control ? shortTimes : undefined,
    say: output.say,
  });
  const start = async (next: Config): Promise<void> => {
    await ensureCrds(client, configKinds(next), { signal: run.interrupted, clock: systemClock });
    await sequencer.start(startedPartsOf(next, request));
  };
  await start(config);
  await using page = await pageFor(run, { sequencer, secrets });
  output.say(
    ...(page ? [`page        ${page.address}`] : []),
    '',
    ...reloadNotes(request),
    ...noteLines(config, request),
  );
  const restart = async (next: Config): Promise<void> => {
    output.say(...noteLines(next, request));
    await start(next);
  };
  using _reloading = modules && reloadOnChange({ modules, onReload: restart, say: output.say, clock: systemClock });
  try {
    const objects = manifests.map(({ object }) => object);
    const keys = walkthrough === undefined ? workspaceKeys(objects, namespace) : ('all' as const);
    const integrations = () => sequencer.integrations;
    const options = { client, keys, integrations, logger, clock: systemClock, signal: ended.signal };
    const following = await follow({ ...options, onUpdate: output.update });
    output.watch(following);
    await applyAndDelete({ ...run, following, broken: sequencer.broken });
  } finally {
    ended.abort();
  }
}

async function openClusterAndRun(invocation: Invocation, request: DevRequest): Promise<void> {
  const { kubeconfig, context, namespace, 'log-level': level = 'warn' } = invocation.values;
  const colour = !process.env.NO_COLOR;
  using output = createProgressOutput({ sink: process.stdout, clock: systemClock, colour });
  const exit = () => {
    output[Symbol.dispose]();
    process.exit(130);
  };
  using interrupt = createInterrupt({ exit });
  const interrupted = interrupt.signal;
  try {
    const memory = { ...reproducibleFrom(invocation.values), control: request.control };
    const where = { kubeconfig, context, namespace, memory };
    await using target = await openTargetCluster({ ...where, clock: systemClock, signal: interrupted });
    output.say(...target.about);
    await runWithCluster({ request, target, output, interrupted }, level);
  } catch (error) {
    if (error !== interrupted.reason) throw error;
  }
}

/** `sequencer dev`, which is `npm start`. */
export const dev: Command = {
  name: 'dev',
  summary: 'apply workspaces, watch them become Ready, reload changed code, and delete them on Ctrl-C',
  operands: '[FILE]...',
  options: {
    once: { type: 'boolean', description: 'delete as soon as all are Ready, and exit; exit 1 when one ends in Error' },
    page: {
      type: 'string',
      value: 'PORT',
      description: 'serve the page on this port of the loopback interface (default: a free one; none with --once)',
    },
    control: {
      type: 'boolean',
      description:
        'let the page inject faults into the in-memory cluster; guards take over within seconds instead of a minute',
    },
    keep: { type: 'boolean', description: 'do not delete what was applied' },
    real: {
      type: 'boolean',
      description: 'run examples/preview with real servers, from a checkout only: kube-apiserver, PostgreSQL, …',
    },
    kubeconfig: { type: 'string', value: 'FILE', description: 'a real cluster instead of the in-memory one' },
    ...reproducibleOptions,
    ...workspaceOptions,
    class: classOption,
    timeout: {
      type: 'string',
      value: 'TIME',
      description:
        'such as 90s or 5m: exit 1 if not Ready, or not deleted, by then (default: 5m; without --once no limit to be Ready)',
    },
    ...commonOptions,
  },
  examples: [
    ['sequencer dev', 'the example, in memory, until Ctrl-C'],
    ['sequencer dev --once my.yaml', 'apply, wait until Ready, delete: for scripts'],
    ['sequencer dev --kubeconfig ~/.kube/config --config my.config.ts my.yaml', 'on your cluster'],
    ['helm template my | sequencer dev -', 'from standard input'],
  ],
  async run(invocation) {
    if (invocation.flags.has('real'))
      return (await import('../process/real-servers.ts')).playWithRealServers(invocation);
    const request = await readDevRequest(invocation);
    using _modules = request.modules;
    await openClusterAndRun(invocation, request);
    return 0;
  },
};
