/** Wraps an integration to record its calls. */

import {
  ContractError,
  type GuardOptions,
  type Integration,
  type ProviderController,
  type TaskContext,
} from '../../../sdk/index.ts';
import {
  createInvocation,
  type FunctionName,
  invocation,
  pendingUntil,
  unfinishedCalls,
  whileAwaited,
} from './invocations.ts';
import {
  claimsNoEffect,
  lostChange,
  misclassifiedLoss,
  suspicionsOfAnswer,
  suspicionsOfError,
} from './misclassified-errors.ts';
import {
  mistakeInEnsures,
  mistakeInId,
  mistakeInInterval,
  mistakeInRequeue,
  mistakeInSecret,
  mistakeInValidity,
  recordMistake,
  strangeController,
} from './mistakes.ts';
import type { AnyResource, Observations } from './observations.ts';
import { notJson } from './plain-json.ts';
import { recordedConnect } from './recorded-connect.ts';

type Call<Args extends readonly unknown[], T> = (...args: Args) => Promise<T> | T;

const written = (value: unknown): string =>
  JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}` : part));

/** Wraps a function to record each call. */
function recorded<Args extends readonly unknown[], T>(
  record: Observations,
  name: FunctionName,
  call: Call<Args, T>,
): (...args: Args) => Promise<T> {
  record.coverage.declare(name);
  const { fetch, mistakes } = record;
  return async (...args) => {
    record.coverage.count(name);
    const current = createInvocation(name, { fetch, mistakes });
    record.pendingCalls.set(current, record.run);
    const handed = written(args);
    try {
      const answer = await invocation.run(current, () => call(...args));
      current.isOver = true;
      record.suspect(suspicionsOfAnswer(current, answer, record.lost));
      for (const left of unfinishedCalls(current))
        record.mistakes.add(`${name} answers while ${left} is still under way: await it, and return what it answers`);
      return answer;
    } catch (error) {
      current.isOver = claimsNoEffect(error);
      record.thrown.push({ name, error, isUnbroken: current.calls.every(({ fault }) => fault === undefined) });
      recordMistake(record, misclassifiedLoss(current, error));
      record.suspect(suspicionsOfError(current, args, error));
      if (name === 'create' || name === 'task') record.lost = lostChange(current);
      throw error;
    } finally {
      record.pendingCalls.delete(current);
      if (written(args) !== handed)
        record.mistakes.add(`${name} changes what it is handed, which others use too: copy it first`);
    }
  };
}

/** Wraps a resource to record each call of its functions. */
function recordedResource(record: Observations, resource: AnyResource): AnyResource {
  const { create, secretOf } = resource;
  recordMistake(record, mistakeInInterval(resource));
  recordMistake(record, mistakeInValidity(resource));
  record.resources.set(resource.label, resource);
  const all: { -readonly [Name in keyof AnyResource]?: unknown } = {};
  for (const name of ['find', 'findAll', 'observe', 'update', 'replaceMark', 'delete'] as const) {
    const call = resource[name] as Call<readonly unknown[], unknown> | undefined;
    if (call !== undefined) all[name] = recorded(record, name, call);
  }
  const keepSecret = (secret: Readonly<{ [name: string]: string }> | undefined): void => {
    for (const value of Object.values(secret ?? {})) record.secrets.add(value);
  };
  const created: AnyResource['create'] = async (wanted, context) => {
    const answer = await create.call(resource, wanted, context);
    const { owner, key } = context;
    record.made.set(owner.slot, { resource, wanted, owner, key, id: answer.id });
    const invalid = notJson(answer.id, 'id');
    recordMistake(
      record,
      invalid && `create answers an id whose ${invalid} is not plain JSON: another process reads it from the journal`,
    );
    recordMistake(record, mistakeInId(answer.id));
    if (answer.secret !== undefined) record.secretMembers.set(resource.label, Object.keys(answer.secret).sort());
    keepSecret(answer.secret);
    return answer;
  };
  const secret = async (...args: Parameters<NonNullable<typeof secretOf>>) => {
    const answer = await secretOf!.apply(resource, args);
    recordMistake(record, mistakeInSecret(record.secretMembers.get(resource.label), answer ?? {}));
    keepSecret(answer);
    return answer;
  };
  return {
    ...resource,
    ...all,
    create: recorded(record, 'create', created),
    ...(secretOf && { secretOf: recorded(record, 'secretOf', secret) }),
  } as AnyResource;
}

function recordWanted(record: Observations, wanted: object | readonly object[]): void {
  record.wanted = Array.isArray(wanted) ? wanted : [wanted as object];
  const invalid = notJson(record.wanted, 'wanted');
  recordMistake(
    record,
    invalid && `${invalid} is not plain JSON: what is wanted is journalled, and repeated by another process from there`,
  );
}

/** One call of reconcile or terminate of one workspace; those of several may run at the same time. */
interface WorkspaceTurn {
  /** Requeue delay that `ensure` or `destroy` answered, in ms. */
  requeueAfter: number | undefined;
  /** Label and desired state of its last `ensure`. */
  ensured: string | undefined;
}

/** Records the requeue delay of a result. */
function recordRequeue<T extends { readonly requeueAfter?: number }>(turn: WorkspaceTurn, result: T): T {
  turn.requeueAfter = result.requeueAfter ?? turn.requeueAfter;
  return result;
}

/** Wraps a controller to record its guards and resources. */
function recordedController(
  record: Observations,
  turn: WorkspaceTurn,
  controller: ProviderController,
): ProviderController {
  const recordedGuard = (options: GuardOptions | undefined) =>
    options?.recover === undefined ? options : { ...options, recover: recorded(record, 'recover', options.recover) };
  const counted = ({ checkpoint, ...context }: TaskContext): TaskContext => {
    const kept = recorded(record, 'checkpoint', checkpoint);
    return { ...context, checkpoint: (ref) => pendingUntil('checkpoint', kept(ref)) };
  };
  const through: Partial<ProviderController> = {
    guard: (reason, task, options) =>
      controller.guard(
        reason,
        recorded(record, 'task', (context) => task(counted(context))),
        recordedGuard(options),
      ),
    ensure: async (resource, wanted) => {
      recordWanted(record, wanted as object);
      recordMistake(record, mistakeInEnsures(turn, resource.label, wanted));
      return recordRequeue(turn, await controller.ensure(recordedResource(record, resource as never) as never, wanted));
    },
    setFinalizer: async (finalizer) => {
      await controller.setFinalizer(finalizer);
      record.finalizers.add(finalizer);
    },
    removeFinalizer: async (finalizer) => {
      await controller.removeFinalizer(finalizer);
      record.finalizers.delete(finalizer);
    },
    destroy: async (resource, wanted) =>
      recordRequeue(turn, await controller.destroy(recordedResource(record, resource as never) as never, wanted)),
  };
  return new Proxy(controller, {
    get(target, member) {
      const value = (Reflect.get(through, member) ?? Reflect.get(target, member)) as unknown;
      if (typeof value !== 'function') return value;
      return (...args: readonly unknown[]) => {
        recordMistake(record, strangeController(invocation.getStore(), turn, String(member)));
        const answer: unknown = Reflect.apply(value, target, args);
        if (!(answer instanceof Promise)) return answer;
        answer.catch((error: unknown) => {
          if (error instanceof ContractError) record.refused.add(error.message);
        });
        return whileAwaited(pendingUntil(String(member), answer));
      };
    },
  });
}

/** Limit of the calls of reconcile and terminate within one step of the clock; further ones do not settle. */
export const maxTurns = 300;

/** Records the requeue delay that a turn ends with, and the mistakes in it. */
function endTurn(
  record: Observations,
  turn: WorkspaceTurn,
  [name, requeueAfter]: readonly ['reconcile' | 'terminate', number | undefined],
): void {
  record.requeueAfter = requeueAfter;
  record.quiet = requeueAfter === undefined ? name : undefined;
  if (requeueAfter !== turn.requeueAfter)
    recordMistake(record, mistakeInRequeue(record.shortRequeues, name, requeueAfter));
  if (turn.requeueAfter !== undefined && requeueAfter === undefined)
    record.mistakes.add(
      `${name} does not return what ${name === 'reconcile' ? 'ensure' : 'destroy'} answers, which says when to come back: nothing is looked at again`,
    );
}

/** Wraps an integration to record each call of its functions. */
export function observedIntegration(integration: Integration, record: Observations): Integration {
  const counted = <Given extends readonly unknown[]>(
    name: 'reconcile' | 'terminate',
    turn: WorkspaceTurn,
    call: (...given: Given) => Promise<{ requeueAfter?: number } | undefined | void>,
  ) =>
    recorded(record, name, async (...given: Given) => {
      const current = invocation.getStore();
      if (current !== undefined) current.turn = turn;
      record.turns += 1;
      if (record.turns > maxTurns) await new Promise(() => {});
      record.requeueAfter = undefined;
      record.quiet = undefined;
      turn.requeueAfter = undefined;
      turn.ensured = undefined;
      const result = await call(...given);
      endTurn(record, turn, [name, result?.requeueAfter]);
      return result;
    });
  return {
    ...integration,
    connect: async ({ workspace, controller }) => {
      const turn: WorkspaceTurn = { requeueAfter: undefined, ensured: undefined };
      const recorded = recordedController(record, turn, controller);
      const provider = await recordedConnect(record, () => integration.connect({ workspace, controller: recorded }));
      return {
        reconcile: counted('reconcile', turn, (settings) => provider.reconcile(settings)),
        terminate: counted('terminate', turn, () => provider.terminate()),
      };
    },
  };
}
