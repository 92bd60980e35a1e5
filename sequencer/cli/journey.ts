import { type Client, type Clock, keyOf, NotFoundError, UserError } from '../../sdk/index.ts';
import { type Applied, deleteAll, toDelete } from './apply.ts';
import type { Following } from './follow.ts';
import type { Line, Progress } from './progress.ts';

/** What a wait for workspaces is bounded by. */
export interface Patience {
  /** ms; undefined: as long as it takes. */
  readonly timeout: number | undefined;
  /** Ends it early. */
  readonly signal: AbortSignal;
}

const lineText = ({ workspace, condition, status, reason }: Line): string =>
  `${workspace}  ${condition}  ${status}${reason ? `: ${reason}` : ''}`;

const arrived = new Set(['Completed', 'Healthy', 'True']);

/** What keeps workspaces from being ready, line by line; `Ready` itself only where it alone is left to say why. */
function obstacles(progress: readonly Progress[]): readonly string[] {
  return progress
    .filter(({ standing }) => standing !== 'ready')
    .flatMap(({ lines }) => {
      const open = lines.filter(({ status }) => !arrived.has(status));
      const telling = open.filter(({ condition }) => condition !== 'Ready');
      return (telling.length > 0 ? telling : open).map(lineText);
    });
}

const failure = (code: `E#${string}`, what: string, why: readonly string[]): UserError =>
  new UserError(code, what, why.length > 0 ? { hint: why.join('\n') } : {});

const counted = (count: number): string => `${count} workspace${count === 1 ? '' : 's'}`;

/** Waits until something holds, or the time is up. */
async function within(
  following: Following,
  holds: (progress: readonly Progress[]) => boolean,
  { timeout, signal }: Patience,
): Promise<'held' | 'late'> {
  const late = timeout === undefined ? undefined : AbortSignal.timeout(timeout);
  try {
    await following.until(holds, late ? AbortSignal.any([signal, late]) : signal);
    return 'held';
  } catch (error) {
    if (late?.aborted && !signal.aborted) return 'late';
    throw error;
  }
}

/** What a wait for readiness makes of a workspace in Error: the end, or something to look at while it is tried again. */
export interface ReadyOptions extends Patience {
  readonly errors: 'fatal' | 'shown';
}

/**
 * Resolves when all of the workspaces are ready.
 * @throws UserError E#2031 as soon as one is in Error (where that is fatal), E#2032 when the time is up, each with the reasons; the signal's reason when it aborts
 */
export async function becomeReady(following: Following, count: number, patience: ReadyOptions): Promise<void> {
  const failed = ({ standing }: Progress) => standing === 'error' && patience.errors === 'fatal';
  const outcome = await within(
    following,
    (progress) =>
      progress.some(failed) || (progress.length === count && progress.every((one) => one.standing === 'ready')),
    patience,
  );
  const progress = following.progress();
  const wrong = progress.filter(failed);
  if (wrong.length > 0)
    throw failure('E#2031', `${wrong.map(({ key }) => key).join(', ')} ended in Error`, obstacles(wrong));
  if (outcome === 'late')
    throw failure(
      'E#2032',
      `not ready in ${(patience.timeout ?? 0) / 1000} s: ${counted(progress.filter((one) => one.standing !== 'ready').length)}`,
      obstacles(progress),
    );
}

/** What {@link takeAway} works with. */
export interface Removal extends Patience {
  readonly client: Client;
  readonly clock: Clock;
  readonly following: Following;
}

async function becomeGone({ client, clock }: Removal, { kind, key }: Applied, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      await client.get(kind, key, { signal });
    } catch (error) {
      if (error instanceof NotFoundError) return;
      throw error;
    }
    await clock.sleep(500, signal);
  }
}

/**
 * Deletes what was applied: the workspaces first, then, once they are gone, the rest in reverse order; resolves when nothing is left.
 * @throws UserError E#2033 with what is left when the time is up
 */
export async function takeAway(applied: readonly Applied[], removal: Removal): Promise<void> {
  const { client, following, timeout, signal } = removal;
  const [workspaces = [], others = []] = [true, false].map((ours) =>
    toDelete(applied).filter(({ kind }) => (kind.kind === 'Workspace') === ours),
  );
  await deleteAll(client, workspaces, signal);
  const keys = new Set(workspaces.map(({ key }) => keyOf(key)));
  const left = () => following.progress().filter(({ key, standing }) => keys.has(key) && standing !== 'gone');
  const seen = () => following.progress().filter(({ key }) => keys.has(key)).length;
  const outcome = await within(following, () => seen() === keys.size && left().length === 0, { timeout, signal });
  if (outcome === 'late')
    throw failure(
      'E#2033',
      `not gone in ${(timeout ?? 0) / 1000} s: ${counted(left().length)}`,
      left().flatMap(({ lines }) => lines.map(lineText)),
    );
  await deleteAll(client, others, signal);
  const bound = timeout === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
  for (const one of others) await becomeGone(removal, one, bound);
}
