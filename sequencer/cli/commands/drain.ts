/** `sequencer drain`: deletes all workspaces before an operator is uninstalled. */

import { createInterrupt, createSeal, type Seal } from '../../../sdk/host/index.ts';
import {
  ApiError,
  type Client,
  type Clock,
  createClient,
  type Integration,
  ignoreNotFound,
  isDeleting,
  keyOf,
  mirrorAnnotation,
  objectKeyOf,
  policies,
  policyAnnotation,
  systemClock,
  Workspace,
} from '../../../sdk/index.ts';
import { unregisteredClaims } from '../../engine/orphans.ts';
import { createSequencer } from '../../run/sequencer.ts';
import { isOfClass } from '../../run/sequencer-class.ts';
import { releaseConfigs } from '../../tenants/release-configs.ts';
import type { TenantIntegrations } from '../../tenants/tenant-integration.ts';
import { type Command, classNameOf, classOption, commonOptions, durationOf } from '../args/command.ts';
import { loadConfig, loadTenantIntegrations } from '../args/config.ts';
import { connectionOf, signingOptions } from '../args/connection.ts';
import { operatorNamespaceOf, operatorsSeal } from '../args/operator-key.ts';
import { externalObjectLines, isRefused, leftError, type Refusals } from '../output/left-workspaces.ts';
import { createLogger } from '../output/log.ts';

/** Options of {@link drainWorkspaces}. */
export interface DrainOptions {
  readonly client: Client;
  /** Restricts the drain to workspaces of this namespace. @default all */
  readonly namespace?: string | undefined;
  /** Class of the workspaces. @default those that name none */
  readonly className?: string | undefined;
  /** Keeps external objects: claims are released without a call to a third party. */
  readonly orphan: boolean;
  /** ms. */
  readonly timeout: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Prints a line of progress. */
  readonly print: (line: string) => void;
}

/** ms between two lists. */
const pollInterval = 1000;

/** Lists the workspaces of all classes; none when the kind is no longer served. */
async function listedOfAll({ client, namespace, signal }: DrainOptions): Promise<readonly Workspace[]> {
  const list = client.list(Workspace, { signal, ...(namespace !== undefined && { namespace }) });
  return (await ignoreNotFound(list))?.items ?? [];
}

const listed = async (options: DrainOptions): Promise<readonly Workspace[]> =>
  (await listedOfAll(options)).filter((workspace) => isOfClass(workspace, options.className));

/** Tells of the workspaces of other classes, whose claims would hold the definition if it were deleted now. */
async function otherClassLines(options: DrainOptions): Promise<readonly string[]> {
  const others = (await listedOfAll(options)).filter((workspace) => !isOfClass(workspace, options.className));
  const flags = others.map(({ spec }) => (spec.className === undefined ? '' : ` --class ${spec.className}`));
  return [...new Set(flags)].map((flag) => `more workspaces need the definitions: sequencer drain${flag}`);
}

/** Policy under which everything stays outside, whatever other policy the config or the workspace has. */
const strictest = policies.at(-1);

/** Returns the annotations under which everything stays outside; undefined where the workspace has them. A policy of one condition may be a mistake, which holds the deletion back. */
function stayingOutside({ metadata: { annotations = {} } }: Workspace): Readonly<Record<string, unknown>> | undefined {
  const single = Object.keys(annotations).filter((name) => name.startsWith(policyAnnotation('')));
  if (annotations[policyAnnotation()] === strictest && single.length === 0) return undefined;
  return { ...Object.fromEntries(single.map((name) => [name, null])), [policyAnnotation()]: strictest };
}

/** Deletes a workspace unless it is being deleted already, with a policy under which everything stays outside if requested. */
async function end({ client, orphan, signal, print }: DrainOptions, workspace: Workspace): Promise<void> {
  const key = objectKeyOf(workspace);
  const annotations = orphan ? stayingOutside(workspace) : undefined;
  if (annotations !== undefined) {
    const value = { metadata: { annotations } };
    await ignoreNotFound(client.patch(Workspace, key, { type: 'merge', value }, { signal }));
    for (const line of externalObjectLines(workspace)) print(line);
  }
  if (!isDeleting(workspace)) await client.delete(Workspace, key, { signal });
}

/** Ends each workspace. @returns the refusals: one does not hold the others back */
async function endAll(options: DrainOptions, workspaces: readonly Workspace[]): Promise<Refusals> {
  const refusals = new Map<string, ApiError>();
  for (const workspace of workspaces)
    await end(options, workspace).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      refusals.set(workspace.metadata.uid ?? '', error);
    });
  return refusals;
}

async function untilNoneIsLeft(options: DrainOptions): Promise<void> {
  const { timeout, clock, signal, print } = options;
  const over = clock.monotonic() + timeout;
  let before: readonly Workspace[] = [];
  let refusals: Refusals = new Map();
  for (;;) {
    const left = await listed(options);
    const uids = new Set(left.map(({ metadata }) => metadata.uid));
    if (before.length === 0 && left.length > 0) print(`${left.length} to end`);
    for (const { metadata } of before)
      if (!uids.has(metadata.uid)) print(`${keyOf(metadata)}  gone, ${left.length} left`);
    if (left.length === 0) return;
    if (clock.monotonic() >= over) throw leftError(`not gone in ${timeout / 1000} s`, left, refusals);
    refusals = await endAll(options, left);
    if (isRefused(left, refusals)) throw leftError('refused by the API server', left, refusals);
    before = left;
    await clock.sleep(pollInterval, signal);
  }
}

/**
 * Deletes all workspaces, also those created meanwhile, and resolves when none is left and their configs are released; then it reports those of other classes.
 * The external objects are removed by the operator that walks them.
 * @throws UserError E#2033 on timeout, or when the server refuses all that is left; the signal's reason when it aborts
 */
export async function drainWorkspaces(options: DrainOptions): Promise<void> {
  await untilNoneIsLeft(options);
  await releaseConfigs({ ...options, workspaces: await listedOfAll(options) });
  for (const line of await otherClassLines(options)) options.print(line);
}

/** Reports whether an operator with a key has written a mirror of the workspace. */
function isMirrorSealed({ metadata }: Workspace): boolean {
  const mirrors = Object.entries(metadata.annotations ?? {}).filter(([name]) => name.startsWith(mirrorAnnotation('')));
  return mirrors.some(([, text]) => /"seal":"/.test(text));
}

/**
 * The seal to walk with: the operator's, whose signature some mirror bears. Where none does, or no integration is left to read them, none is needed.
 * @throws UserError E#3011 where it is not to be had
 */
async function walkingSeal(
  integrations: readonly Integration[],
  options: DrainOptions & Pick<Walking, 'operatorNamespace'>,
): Promise<Seal> {
  const isNeeded = integrations.length > 0 && (await listed(options)).some(isMirrorSealed);
  return isNeeded ? operatorsSeal(options.client, options.operatorNamespace, 'drain') : createSeal('', []);
}

/** Options of the walks in this process. */
interface Walking {
  /** Namespace of the operator's key. */
  readonly operatorNamespace: string;
  /** Integration types that tenants may configure. */
  readonly tenantIntegrations: TenantIntegrations;
  readonly level: string;
}

/** Walks workspaces in this process while `work` runs. */
async function whileWalked(
  integrations: readonly Integration[],
  options: DrainOptions & Walking,
  work: () => Promise<void>,
): Promise<void> {
  const { client, namespace, className, clock, orphan, operatorNamespace, tenantIntegrations } = options;
  const registered = new Set(integrations.map(({ name }) => name));
  const foreign = (await listed(options)).flatMap((workspace) => unregisteredClaims(workspace, registered));
  const sequencer = createSequencer({
    client,
    integrations,
    tenantIntegrations,
    operatorNamespace,
    clock,
    seal: await walkingSeal(integrations, options),
    orphan: orphan ? [...new Set(foreign)] : [],
    logger: await createLogger(options.level, process.stderr),
    ...(namespace !== undefined && { namespace }),
    ...(className !== undefined && { className }),
  });
  const stop = new AbortController();
  const running = sequencer.run(stop.signal);
  try {
    await Promise.race([work(), running]);
  } finally {
    stop.abort();
    await running;
  }
}

/** `sequencer drain`. */
export const drain: Command = {
  name: 'drain',
  summary: 'delete every workspace of a class before an operator is uninstalled, and show what is left and why',
  options: {
    orphan: { type: 'boolean', description: 'what exists outside stays there; its ids are printed' },
    config: {
      type: 'string',
      value: 'FILE',
      description: 'walk the workspaces here, with these integrations (default: a running operator does)',
    },
    namespace: { type: 'string', value: 'NAME', description: 'only workspaces of this namespace (default: all)' },
    class: classOption,
    timeout: { type: 'string', value: 'DURATION', description: 'such as 90s or 1h (default: 10m)' },
    'operator-namespace': {
      ...signingOptions['operator-namespace'],
      description: `${signingOptions['operator-namespace'].description}; with --config`,
    },
    kubeconfig: signingOptions.kubeconfig,
    context: signingOptions.context,
    ...commonOptions,
  },
  examples: [
    ['sequencer drain', 'while the operator still runs'],
    ['sequencer drain --config sequencer.config.js --operator-namespace ops', 'when it is gone already'],
    ['sequencer drain --orphan', 'leave everything outside as it is'],
  ],
  async run({ values, flags }) {
    using interrupt = createInterrupt();
    const { config, namespace, class: className, timeout = '10m', 'log-level': level = 'warn' } = values;
    const integrations = config === undefined ? undefined : await loadConfig(config);
    const tenantIntegrations = config === undefined ? {} : await loadTenantIntegrations(config);
    const connection = await connectionOf(values);
    const client = createClient({ connection });
    const options = {
      client,
      namespace,
      className: className === undefined ? undefined : classNameOf('drain', className),
      level,
      tenantIntegrations,
      operatorNamespace: operatorNamespaceOf(values, connection),
      orphan: flags.has('orphan'),
      timeout: durationOf('drain', 'timeout', timeout),
      clock: systemClock,
      signal: interrupt.signal,
      print: (line: string) => void process.stdout.write(`${line}\n`),
    };
    try {
      const work = () => drainWorkspaces(options);
      await (integrations === undefined ? work() : whileWalked(integrations, options, work));
      options.print(className === undefined ? 'no workspace is left' : `no workspace of class ${className} is left`);
      return 0;
    } catch (error) {
      if (!interrupt.signal.aborted) throw error;
      options.print('interrupted: deleted workspaces are still ended by the operator that walks them');
      return 130;
    } finally {
      await client.close();
    }
  },
};
