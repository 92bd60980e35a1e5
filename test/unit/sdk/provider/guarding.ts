/** Integrations that call the guard directly, and faults of requests. */

import {
  conditionOf,
  defineIntegration,
  type GuardOptions,
  type Integration,
  type ProviderController,
  type Task,
} from '../../../../sdk/index.ts';
import type { ApiRequest, Cluster } from '../../../cluster/index.ts';
import { type TargetCluster, textOf } from '../../a-target-cluster.ts';

export const times = { lease: 10_000, maxRequest: 2_000 };
export const key = { namespace: 'default', name: 'shop' };
export const created = async () => ({ status: 'Completed' as const, reason: 'made', refs: [{ id: 'a' }] });

export interface Plan {
  readonly task: Task;
  readonly options?: GuardOptions;
  readonly terminate?: Task;
  readonly before?: (controller: ProviderController) => Promise<void>;
}

/** An integration with a reconcile that guards the current `plan`, unless its thing exists already. */
export function guarding(plan: Plan): Integration {
  return defineIntegration({
    name: 'dns',
    condition: 'DNS',
    handles: () => true,
    connect: ({ controller }) => ({
      async reconcile() {
        await plan.before?.(controller);
        if (controller.refs.length === 0) await controller.guard('creating', plan.task, plan.options);
      },
      terminate: () =>
        controller.guard(
          'deleting',
          plan.terminate ?? (async () => ({ status: 'Terminated', reason: 'deleted', refs: [] })),
        ),
    }),
  });
}

export const stateOf = async (stage: TargetCluster) => {
  const workspace = await stage.read();
  const { status, reason } = conditionOf(workspace, 'DNS');
  return { status, reason, entry: workspace.status?.guards?.DNS, workspace };
};

/** Answers 500 to the next `times` matching requests, before or after their execution. */
export function failing(
  cluster: Cluster,
  matches: (request: ApiRequest) => boolean,
  { times: left = 1, after = false } = {},
): () => number {
  let count = 0;
  cluster.intercept(async (request, next) => {
    if (count >= left || !matches(request)) return next(request);
    count += 1;
    if (after) await next(request);
    const body = Buffer.from(
      JSON.stringify({
        kind: 'Status',
        apiVersion: 'v1',
        status: 'Failure',
        reason: 'InternalError',
        code: 500,
        message: 'lost',
      }),
    );
    return { status: 500, headers: { 'content-type': 'application/json' }, body };
  });
  return () => count;
}

export const isStatusPatch = (phase: string) => (request: ApiRequest) =>
  request.method === 'PATCH' && request.url.includes('/status') && textOf(request).includes(`"phase":"${phase}"`);

export const isMirror = (request: ApiRequest): boolean =>
  request.method === 'PATCH' && !request.url.includes('/status') && textOf(request).includes('external.se.quencer.io');

export const isBeat = (request: ApiRequest) => textOf(request).includes('/beat');

/** Waits for `promise` while the clock moves, in steps of 200 ms. */
export async function passing<T>(stage: TargetCluster, promise: Promise<T>, limit = 60_000): Promise<T> {
  let settled = false;
  promise.then(
    () => (settled = true),
    () => (settled = true),
  );
  for (let passed = 0; !settled && passed < limit; passed += 200) await stage.clock.advance(200);
  return promise;
}

/** Kills an actor in the middle of `task`'s first call. */
export async function dyingIn(stage: TargetCluster, plan: Plan): Promise<void> {
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  const task: Task = async (context) => {
    void plan.task(context).catch(() => undefined);
    resolve();
    return new Promise<never>(() => {});
  };
  const actor = stage.actor([guarding({ ...plan, task })], { holder: 'dead', times });
  void actor.walk().catch(() => undefined);
  await reached;
  actor.die();
}
