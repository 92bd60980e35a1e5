/** Reconciles one workspace as an engine does, without a watch. */

import { isRace } from '../../../../sdk/errors.ts';
import {
  exponentialBackoff,
  isOlder,
  type ObjectKey,
  type Reconciler,
  requestFor,
  Workspace,
} from '../../../../sdk/index.ts';
import { nextRun, type Settled } from '../../../../sdk/operator/engine/next-run.ts';
import type { Process, World } from './process.ts';
import type { Random } from './random.ts';

/** A process's view of one workspace: does the work of an engine, without its watch. */
export interface Replica {
  readonly process: Process;
  /** Receives the workspace as of some time, or undefined once it is gone; in order, with a delay. */
  hear(workspace: Workspace | undefined): void;
}

export interface ReplicaOptions {
  readonly key: ObjectKey;
  readonly process: Process;
  readonly reconciler: Reconciler<Workspace>;
  /** Reports whether the process has written this version itself: it triggers a run only if the last one began without it. */
  isOwn(version: string): boolean;
  /** Returns the newest version of the workspace that the process has written itself. */
  newestOwn(): string | undefined;
  readonly random: Random;
  /** Largest delay of notifications, ms. */
  readonly lag: number;
  /** Receives the error of a failed run, conflicts excepted: an engine would log it. */
  failed(error: unknown): void;
}

/** The workspace under test in every life. */
export const workspaceKey = { namespace: 'default', name: 'shop' };

/** A copy of it, and a workspace of another tenant. */
export const copyKey = { namespace: 'default', name: 'copy' };
export const tenantKey = { namespace: 'tenant', name: 'rogue' };

export const workspaceKeys = [workspaceKey, copyKey, tenantKey];

/** Runs one reconcile at a time, again after a notification or when a run requests it; coalesces those in between. */
export function createReplica(
  { scheduler }: World,
  { key, process, reconciler, isOwn, newestOwn, random, lag, failed }: ReplicaOptions,
): Replica {
  const retry = exponentialBackoff({ initialDelay: 500, maxDelay: 30_000, random: random.next });
  let seen: Workspace | undefined;
  let heardAt = 0;
  let running = false;
  let dirty = false;
  /** Newest own write when the last run began without having seen it. */
  let unseen: string | undefined;
  let attempt = 0;
  let cancel: (() => void) | undefined;

  const settled = async (): Promise<Settled> => {
    try {
      const signal = new AbortController().signal;
      const request = requestFor(Workspace, seen ?? key, { attempt, signal });
      return { result: await reconciler(request) };
    } catch (error) {
      if (!isRace(error)) failed(error);
      return { error };
    }
  };
  const run = async (): Promise<void> => {
    cancel?.();
    cancel = undefined;
    running = true;
    dirty = false;
    unseen = isOlder(seen?.metadata.resourceVersion, newestOwn()) ? newestOwn() : undefined;
    const outcome = await settled();
    running = false;
    const delay = nextRun(outcome, attempt, { retry, random: random.next });
    attempt = 'error' in outcome ? attempt + 1 : 0;
    if (dirty) later(1);
    else if (delay !== undefined) later(delay);
  };
  const later = (ms: number): void => {
    cancel?.();
    cancel = process.after(ms, () => {
      cancel = undefined;
      if (!running && !process.stopping.aborted) void run();
    });
  };
  return {
    process,
    hear(workspace) {
      heardAt = Math.max(heardAt, scheduler.now + 1 + random.below(lag));
      scheduler.after(heardAt - scheduler.now, () =>
        process.enter(() => {
          seen = workspace;
          const { resourceVersion: version = '' } = workspace?.metadata ?? {};
          if (isOwn(version) && version !== unseen) return;
          if (running) dirty = true;
          else later(0);
        }),
      );
    },
  };
}
