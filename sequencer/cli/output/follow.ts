/** Follows workspaces and their events for the command line. */

import type { Logger } from 'pino';
import {
  type Change,
  type Client,
  type Clock,
  createReflector,
  Event,
  type Integration,
  type Kind,
  type KubeObject,
  keyOf,
  type ObjectKey,
  type Selection,
  Store,
  Workspace,
} from '../../../sdk/index.ts';
import { type ConditionLine, changedLines, nextProgress, type Progress, type ProgressEvent } from './progress.ts';

/** Options of {@link follow}. */
export interface FollowOptions {
  readonly client: Client;
  /** Keys of the workspaces to watch; `all` for all existing and future ones. */
  readonly keys: readonly ObjectKey[] | 'all';
  /** Returns the integrations whose conditions are shown; called at each change. */
  readonly integrations: () => readonly Integration[];
  readonly clock: Clock;
  /** Ends the watches. */
  readonly signal: AbortSignal;
  /** Logs failed watches. */
  readonly logger?: Logger;
  /** Called after a change, with the changed lines or the event. */
  readonly onUpdate: (news: { readonly lines: readonly ConditionLine[]; readonly event?: ProgressEvent }) => void;
}

/** State of the followed workspaces, kept current by watches. */
export interface FollowedWorkspaces {
  /** Returns the progress in the order of the keys, or of the first sight of all; without workspaces that never existed. */
  progress(): readonly Progress[];
  /** Returns the latest events, oldest first. */
  events(): readonly ProgressEvent[];
  /** Resolves as soon as `holds` returns true; rejects with the signal's reason if it aborts before. */
  until(holds: (progress: readonly Progress[]) => boolean, signal: AbortSignal): Promise<void>;
}

const maxEvents = 100;
/** ms to wait for the first list of events, which are optional. */
const eventTimeout = 2_000;

/** Selects the namespace of all keys, if they share one. */
function selectionOf(keys: FollowOptions['keys']): Selection {
  if (keys === 'all') return {};
  const [namespace, ...others] = new Set(keys.map((key) => key.namespace));
  return namespace !== undefined && others.length === 0 ? { namespace } : {};
}

const countOf = (event: Event): number => event.series?.count ?? event.count ?? 1;

const progressEventOf = (event: Event, at: number): ProgressEvent => ({
  at,
  workspace: keyOf({ name: event.involvedObject.name ?? '', namespace: event.involvedObject.namespace ?? '' }),
  type: event.type === 'Warning' ? 'Warning' : 'Normal',
  reason: event.reason ?? '',
  message: `${event.message ?? ''}${countOf(event) > 1 ? ` (×${countOf(event)})` : ''}`,
});

interface Waiter {
  readonly holds: (progress: readonly Progress[]) => boolean;
  readonly resolve: () => void;
}

/** Pending waits, evaluated after each change. */
function createWaiters(progress: () => readonly Progress[]) {
  const waiters = new Set<Waiter>();
  return {
    check(): void {
      for (const waiter of waiters) if (waiter.holds(progress())) waiter.resolve();
    },
    until(holds: Waiter['holds'], signal: AbortSignal): Promise<void> {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const waiter = { holds, resolve };
      const onAbort = () => reject(signal.reason);
      waiters.add(waiter);
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
      if (holds(progress())) resolve();
      return promise.finally(() => {
        waiters.delete(waiter);
        signal.removeEventListener('abort', onAbort);
      });
    },
  };
}

/** Watches a kind; resolves when the first list is complete. */
function reflect<T extends KubeObject>(
  kind: Kind<T>,
  { client, keys, clock, signal, logger }: FollowOptions,
  onChange: (change: Change<T>, initial: boolean) => void,
): Promise<void> {
  const selection = selectionOf(keys);
  const reflector = createReflector({ client, kind, store: new Store<T>(), selection, clock, logger, onChange });
  void reflector.run(signal);
  return reflector.synced;
}

/** Lists once, so that missing permissions fail immediately instead of being retried. */
async function requireListAccess({ client, keys, signal }: FollowOptions): Promise<void> {
  const selection = keys === 'all' ? { limit: 1 } : { ...selectionOf(keys), fields: `metadata.name=${keys[0]?.name}` };
  await client.list(Workspace, { ...selection, signal });
}

/**
 * Follows workspaces and, as far as permissions allow, their events; resolves when the workspaces are in sync with the server.
 * @throws ForbiddenError when workspaces may not be listed, UnreachableError
 */
export async function follow(options: FollowOptions): Promise<FollowedWorkspaces> {
  const { keys, integrations, clock, onUpdate } = options;
  const known = new Map<string, Progress>();
  const latest: ProgressEvent[] = [];
  const wanted = keys === 'all' ? undefined : new Set(keys.map(keyOf));
  const progress = () =>
    wanted === undefined ? [...known.values()] : [...wanted].flatMap((key) => known.get(key) ?? []);
  const waiters = createWaiters(progress);

  const onWorkspace = (key: string, workspace: Workspace | undefined): void => {
    if (wanted?.has(key) === false) return;
    const former = known.get(key);
    const next = nextProgress(former, { key, workspace, at: clock.monotonic() }, integrations());
    known.set(key, next);
    onUpdate({ lines: changedLines(former, next) });
    waiters.check();
  };
  const onEvent = (event: Event): void => {
    const news = progressEventOf(event, clock.monotonic());
    if (event.involvedObject.kind !== Workspace.kind || wanted?.has(news.workspace) === false) return;
    latest.push(news);
    if (latest.length > maxEvents) latest.shift();
    onUpdate({ lines: [], event: news });
  };

  if (keys.length > 0) {
    await requireListAccess(options);
    const events = reflect(Event, options, ({ type, object }, initial) => {
      if (!initial && type !== 'deleted') onEvent(object);
    });
    await Promise.race([events, new Promise<void>((resolve) => clock.after(eventTimeout, resolve))]);
    await reflect(Workspace, options, ({ type, key, object }) =>
      onWorkspace(key, type === 'deleted' ? undefined : object),
    );
  }
  return { progress, events: () => latest, until: waiters.until };
}

/** Returns the keys of the workspaces among these objects; `namespace` is the default. */
export const workspaceKeys = (objects: readonly KubeObject[], namespace: string): readonly ObjectKey[] =>
  objects
    .filter(({ kind, apiVersion }) => kind === Workspace.kind && apiVersion.startsWith(`${Workspace.group}/`))
    .map(({ metadata }) => ({ name: metadata.name, namespace: metadata.namespace ?? namespace }));
