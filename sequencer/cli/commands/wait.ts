/** Waits until workspaces are ready, or deleted. */

import { type Client, type Clock, keyOf, NotFoundError, UserError, Workspace } from '../../../sdk/index.ts';
import type { Walkthrough } from '../../run/walkthrough.ts';
import type { FollowedWorkspaces } from '../output/follow.ts';
import { oneLine } from '../output/plain-text.ts';
import type { ConditionLine, Progress } from '../output/progress.ts';
import { type Applied, deleteAll, toDelete } from './apply.ts';

/** Limits of a wait for workspaces. */
export interface WaitLimits {
  /** ms; undefined: no limit. */
  readonly timeout: number | undefined;
  readonly clock: Clock;
  /** Aborts the wait. */
  readonly signal: AbortSignal;
}

const lineText = ({ workspace, condition, status, reason }: ConditionLine): string =>
  `${workspace}  ${condition}  ${status}${reason ? `: ${oneLine(reason)}` : ''}`;

const settledStatuses = new Set(['Completed', 'Healthy', 'True']);

/** Describes the conditions that prevent workspaces from being ready; `Ready` only without another one. */
function blockingLines(progress: readonly Progress[]): readonly string[] {
  return progress
    .filter(({ state }) => state !== 'ready')
    .flatMap(({ lines }) => {
      const open = lines.filter(({ status }) => !settledStatuses.has(status));
      const telling = open.filter(({ condition }) => condition !== 'Ready');
      return (telling.length > 0 ? telling : open).map(lineText);
    });
}

/** Next steps by code. */
const hints = {
  'E#2031': 'fix the reasons above; without --once it is retried until Ctrl-C',
  'E#2032': 'the reasons above say what it waits for; --timeout sets a longer limit',
  'E#2033': 'the lines above name what blocks the deletion; --timeout sets a longer limit',
} as const;

const failure = (code: keyof typeof hints, what: string, why: readonly string[]): UserError =>
  new UserError(code, what, { hint: [...why, hints[code]].join('\n') });

/** ms between two reads of an object that is being deleted and is not a workspace. */
const pollInterval = 500;

const secondsOf = ({ timeout = 0 }: WaitLimits): string => `${timeout / 1000} s`;

const counted = (count: number): string => `${count} workspace${count === 1 ? '' : 's'}`;

/** Runs work with a signal, for `timeout` at most. */
async function withTimeout(
  { timeout, signal, clock }: WaitLimits,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<'done' | 'timeout'> {
  if (timeout === undefined) return work(signal).then(() => 'done');
  const late = new AbortController();
  const cancel = clock.after(timeout, () => late.abort());
  try {
    await work(AbortSignal.any([signal, late.signal]));
    return 'done';
  } catch (error) {
    if (late.signal.aborted && !signal.aborted) return 'timeout';
    throw error;
  } finally {
    cancel();
  }
}

/** Options of {@link waitUntilReady}: `fatal` makes a workspace in Error end the wait. */
export interface ReadyOptions extends WaitLimits {
  readonly errors: 'fatal' | 'shown';
}

/**
 * Resolves when all workspaces are ready.
 * @throws UserError E#2031 as soon as one is in Error (where that is fatal), E#2032 on timeout, each with the reasons; the signal's reason when it
 * aborts
 */
export async function waitUntilReady(
  following: FollowedWorkspaces,
  count: number,
  options: ReadyOptions,
): Promise<void> {
  const failed = ({ state }: Progress) => state === 'error' && options.errors === 'fatal';
  const settled = (progress: readonly Progress[]) =>
    progress.some(failed) || (progress.length === count && progress.every(({ state }) => state === 'ready'));
  const outcome = await withTimeout(options, (signal) => following.until(settled, signal));
  const progress = following.progress();
  const wrong = progress.filter(failed);
  if (wrong.length > 0)
    throw failure(
      'E#2031',
      `${wrong.map(({ key }) => key).join(', ')} ${wrong.length === 1 ? 'is' : 'are'} in Error`,
      blockingLines(wrong),
    );
  const open = count - progress.filter(({ state }) => state === 'ready').length;
  if (outcome === 'timeout')
    throw failure('E#2032', `not ready within ${secondsOf(options)}: ${counted(open)}`, blockingLines(progress));
}

/** Options of {@link deleteAndWait}. */
export interface DeletionOptions extends WaitLimits {
  readonly client: Client;
  readonly following: FollowedWorkspaces;
}

async function waitUntilGone(
  { client, clock }: DeletionOptions,
  { kind, key }: Applied,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    try {
      await client.get(kind, key, { signal });
    } catch (error) {
      if (error instanceof NotFoundError) return;
      throw error;
    }
    await clock.sleep(pollInterval, signal);
  }
}

/** Reports which finalizers keep an object that is being deleted. */
async function finalizersText({ client }: DeletionOptions, { kind, key }: Applied): Promise<string> {
  const found = await client.get(kind, key).catch(() => undefined);
  const { finalizers = [] } = found?.metadata ?? {};
  return `${kind.kind} ${keyOf(key)}  is being deleted; metadata.finalizers: ${finalizers.join(', ') || 'none'}`;
}

async function waitForWorkspaces(
  applied: readonly Applied[],
  { client, following }: DeletionOptions,
  signal: AbortSignal,
) {
  const keys = new Set(applied.map(({ key }) => keyOf(key)));
  await deleteAll(client, applied, signal);
  const ours = (progress: readonly Progress[]) => progress.filter(({ key }) => keys.has(key));
  const areDeleted = (progress: readonly Progress[]) =>
    ours(progress).length === keys.size && ours(progress).every(({ state }) => state === 'gone');
  await following.until(areDeleted, signal);
}

/** Deletes objects, and removes each from the set once it does not exist any more. */
async function waitForOthers(left: Set<Applied>, options: DeletionOptions, signal: AbortSignal): Promise<void> {
  await deleteAll(options.client, [...left], signal);
  for (const one of left) {
    await waitUntilGone(options, one, signal);
    left.delete(one);
  }
}

/**
 * Deletes the applied objects: the workspaces first, then, after their removal, the rest in reverse order; resolves when all are deleted.
 * @throws UserError E#2033 with the remaining objects on timeout
 */
export async function deleteAndWait(applied: readonly Applied[], options: DeletionOptions): Promise<void> {
  const isOurs = ({ kind }: Applied) => kind.kind === Workspace.kind;
  const all = toDelete(applied);
  const others = new Set(all.filter((one) => !isOurs(one)));
  const outcome = await withTimeout(options, async (signal) => {
    await waitForWorkspaces(all.filter(isOurs), options, signal);
    await waitForOthers(others, options, signal);
  });
  if (outcome === 'done') return;
  const left = options.following.progress().filter(({ state }) => state !== 'gone');
  if (left.length === 0)
    throw failure(
      'E#2033',
      `not deleted within ${secondsOf(options)}: ${others.size} other object${others.size === 1 ? '' : 's'}`,
      await Promise.all([...others].map((one) => finalizersText(options, one))),
    );
  const why = left.flatMap(({ lines }) => lines.filter(({ status }) => status !== 'Terminated').map(lineText));
  throw failure('E#2033', `not deleted within ${secondsOf(options)}: ${counted(left.length)}`, why);
}

/** Options of {@link beginWalkthrough} and {@link endWalkthrough}. */
export interface WalkthroughOptions extends DeletionOptions {
  readonly say: (...lines: readonly string[]) => void;
}

/** Starts a walkthrough. @throws UserError E#2032 on timeout, with the reasons; the walkthrough's errors */
export async function beginWalkthrough(walkthrough: Walkthrough, options: WalkthroughOptions): Promise<void> {
  const { client, say } = options;
  const outcome = await withTimeout(options, (signal) => walkthrough.begin({ client, say, signal }));
  if (outcome === 'timeout')
    throw failure('E#2032', `not ready within ${secondsOf(options)}`, blockingLines(options.following.progress()));
}

/** Ends a walkthrough. @returns a line that nothing is left. @throws UserError E#2033 with the remaining objects, or on timeout; the walkthrough's errors */
export async function endWalkthrough(walkthrough: Walkthrough, options: WalkthroughOptions): Promise<string> {
  const { client, say, following } = options;
  let counts: Readonly<Record<string, number>> = {};
  const outcome = await withTimeout(options, async (signal) => {
    counts = await walkthrough.end({ client, say, signal });
  });
  const shown = Object.entries(counts).map(([what, count]) => `${what} ${count}`);
  if (outcome === 'timeout') {
    const left = following.progress().filter(({ state }) => state !== 'gone');
    throw failure('E#2033', `not deleted within ${secondsOf(options)}: ${counted(left.length)}`, blockingLines(left));
  }
  if (Object.values(counts).some((count) => count !== 0)) throw failure('E#2033', 'objects are left', shown);
  return `Nothing is left: ${shown.join(', ')}`;
}
