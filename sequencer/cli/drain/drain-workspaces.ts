/** Deletion of the workspaces of a class. */

import {
  ApiError,
  type Client,
  type Clock,
  ignoreNotFound,
  isDeleting,
  objectKeyOf,
  policies,
  policyAnnotation,
  UnreachableError,
  Workspace,
} from '../../../sdk/index.ts';
import { matchesSelector } from '../../admission/label-selector.ts';
import { isOfClass } from '../../run/operator-instance.ts';
import { releaseConfigs } from '../../tenants/release-configs.ts';
import { createDrainProgress, type DrainProgress } from './drain-progress.ts';
import { externalObjectLines, isRefused, notDrainedError, type Refusals } from './left-workspaces.ts';

/** Options of {@link drainWorkspaces}. */
export interface DrainOptions {
  readonly client: Client;
  /** Restricts the drain to workspaces of this namespace. @default all */
  readonly namespace?: string | undefined;
  /** Class of the workspaces. @default those that name none */
  readonly className?: string | undefined;
  /** Label selector of the workspaces. @default all */
  readonly selector?: string | undefined;
  /** Keeps external objects: claims are released without a call to a third party. */
  readonly orphan: boolean;
  /** True if this process walks the workspaces. @default false: a running operator does */
  readonly walks?: boolean;
  /** ms. */
  readonly timeout: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Prints a line of progress. */
  readonly print: (line: string) => void;
}

/** ms between two lists. */
const pollInterval = 1000;

/** Lists the workspaces of all classes and labels; none when the kind is no longer served. */
async function listAll({ client, namespace, signal }: DrainOptions): Promise<readonly Workspace[]> {
  const list = client.list(Workspace, { signal, ...(namespace !== undefined && { namespace }) });
  return (await ignoreNotFound(list))?.items ?? [];
}

/** Returns the test of the workspaces that a drain deletes. */
const isDrained =
  ({ className, selector = '' }: DrainOptions) =>
  (workspace: Workspace): boolean =>
    isOfClass(workspace, className) && matchesSelector(selector, workspace.metadata.labels);

/** Lists the workspaces of the class and selector; none when the kind is no longer served. */
export const listWorkspaces = async (options: DrainOptions): Promise<readonly Workspace[]> =>
  (await listAll(options)).filter(isDrained(options));

/** Reports the workspaces of others, whose claims would hold the definition if it were deleted now. */
async function otherWorkspaceLines(options: DrainOptions): Promise<readonly string[]> {
  const others = (await listAll(options)).filter((workspace) => !isDrained(options)(workspace));
  const flags = others.map(({ spec }) => (spec.className === undefined ? '' : ` --class ${spec.className}`));
  return [...new Set(flags)].map((flag) => `more workspaces need the definitions: sequencer drain${flag}`);
}

/** Policy that keeps all external objects, regardless of other policies of the config or the workspace. */
const orphanPolicy = policies.at(-1);

/**
 * Returns the annotations that keep all external objects; undefined if the workspace has them. They also replace invalid policies of single conditions,
 * which would block the deletion.
 */
function orphanAnnotations({
  metadata: { annotations = {} },
}: Workspace): Readonly<Record<string, unknown>> | undefined {
  const single = Object.keys(annotations).filter((name) => name.startsWith(policyAnnotation('')));
  if (annotations[policyAnnotation()] === orphanPolicy && single.length === 0) return undefined;
  return { ...Object.fromEntries(single.map((name) => [name, null])), [policyAnnotation()]: orphanPolicy };
}

/** Options of a drain, and the lines about external objects that it has printed. */
interface DrainState extends DrainOptions {
  readonly printed: Set<string>;
}

/** Prints the external objects that a workspace leaves, each line once. */
function printExternalObjects({ print, printed }: DrainState, workspace: Workspace): void {
  for (const line of externalObjectLines(workspace).filter((one) => !printed.has(one))) {
    printed.add(line);
    print(line);
  }
}

/** Deletes a workspace unless it is being deleted already; if requested, with a policy that keeps its external objects. */
async function deleteWorkspace(state: DrainState, workspace: Workspace): Promise<void> {
  const { client, orphan, signal } = state;
  const key = objectKeyOf(workspace);
  const annotations = orphan ? orphanAnnotations(workspace) : undefined;
  if (annotations !== undefined) {
    const value = { metadata: { annotations } };
    await ignoreNotFound(client.patch(Workspace, key, { type: 'merge', value }, { signal }));
  }
  if (orphan) printExternalObjects(state, workspace);
  if (!isDeleting(workspace)) await ignoreNotFound(client.delete(Workspace, key, { signal }));
}

/** Reports whether an error of the server may be transient. */
const isTransient = (error: unknown): boolean =>
  error instanceof UnreachableError || (error instanceof ApiError && (error.code >= 500 || error.code === 429));

/** Requests the deletion of each workspace. @returns the refusals and transient errors of the server; neither stops the others */
async function deleteAll(state: DrainState, workspaces: readonly Workspace[]): Promise<Refusals> {
  const refusals = new Map<string, ApiError>();
  for (const workspace of workspaces)
    await deleteWorkspace(state, workspace).catch((error: unknown) => {
      if (error instanceof ApiError) refusals.set(workspace.metadata.uid ?? '', error);
      else if (!isTransient(error)) throw error;
    });
  return refusals;
}

/** Lists the remaining workspaces, retrying while the server fails. @throws the server's error at the timeout */
async function listWithRetries(options: DrainOptions, over: number, progress: DrainProgress) {
  const { clock, signal } = options;
  for (;;)
    try {
      return await listWorkspaces(options);
    } catch (error) {
      if (!isTransient(error) || clock.monotonic() >= over) throw error;
      progress.listFailed(error);
      await clock.sleep(pollInterval, signal);
    }
}

async function deleteUntilNoneIsLeft(options: DrainOptions): Promise<void> {
  const state: DrainState = { ...options, printed: new Set() };
  const { timeout, clock, signal, print } = options;
  const deadline = clock.monotonic() + timeout;
  const progress = createDrainProgress(clock, print);
  let left = await listWorkspaces(options);
  let refusals: Refusals = new Map();
  for (;;) {
    progress.update(left);
    if (left.length === 0) return;
    if (clock.monotonic() >= deadline)
      throw notDrainedError(`not deleted within ${timeout / 1000} s`, left, { ...options, refusals });
    refusals = await deleteAll(state, left);
    if (isRefused(left, refusals)) throw notDrainedError('refused by the API server', left, { ...options, refusals });
    await clock.sleep(pollInterval, signal);
    left = await listWithRetries(options, deadline, progress);
  }
}

/**
 * Deletes all workspaces, also those created meanwhile, and resolves when none is left and their configs are released; then it reports those of other classes and labels.
 * The external objects are removed by the operator that walks them.
 * @throws UserError E#2033 on timeout, or when the server refuses all that is left; the signal's reason when it aborts
 */
export async function drainWorkspaces(options: DrainOptions): Promise<void> {
  await deleteUntilNoneIsLeft(options);
  await releaseConfigs({ ...options, workspaces: await listAll(options) });
  for (const line of await otherWorkspaceLines(options)) options.print(line);
}
