/** Attributes calls to the functions of an integration. */

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Call } from './effect.ts';

/** Function of an integration: of its resources, guards or provider, or one that its tasks call. */
export type FunctionName =
  | 'find'
  | 'findAll'
  | 'observe'
  | 'create'
  | 'update'
  | 'replaceMark'
  | 'delete'
  | 'secretOf'
  | 'task'
  | 'recover'
  | 'checkpoint'
  | 'connect'
  | 'reconcile'
  | 'terminate';

/** Call of an integration's function, with the calls to the third party that it made. */
export interface Invocation {
  readonly name: FunctionName;
  readonly calls: Call[];
  /** Functions of the controller that it has called and that have not settled, by a token each. */
  readonly pending: Map<object, string>;
  /** `fetch` of the run that it belongs to. */
  readonly fetch: typeof globalThis.fetch | undefined;
  /** Mistakes of the scenario, each with its fix. */
  readonly mistakes: Set<string>;
  /** Functions that fire the timers that it has set. */
  readonly timers: Set<() => void>;
  /** Identity of the `connect` that it came of; undefined for functions of resources and guards. */
  turn: object | undefined;
  /** True once it has answered, or said by its error that nothing has happened. */
  isOver: boolean;
}

/** Returns the record of a call that begins. */
export const createInvocation = (
  name: FunctionName,
  { fetch, mistakes }: Pick<Invocation, 'fetch' | 'mistakes'>,
): Invocation => ({
  name,
  fetch,
  mistakes,
  turn: undefined,
  calls: [],
  pending: new Map(),
  timers: new Set(),
  isOver: false,
});

/** Invocation that the running code belongs to. */
export const invocation = new AsyncLocalStorage<Invocation>();

/** Records a call of a controller's function as pending, for the function of the integration that made it, until it settles. */
export function pendingUntil<T>(name: string, settled: Promise<T>): Promise<T> {
  const { pending } = invocation.getStore() ?? {};
  const token = {};
  const over = (): void => void pending?.delete(token);
  pending?.set(token, name);
  settled.then(over, over);
  return settled;
}

/** Returns the promise without rejections after its function of the integration has ended, which nothing awaits: they would end the process. */
export function whileAwaited<T>(settled: Promise<T>): Promise<T> {
  const by = invocation.getStore();
  return settled.catch((error: unknown) => {
    if (by?.isOver) return new Promise<never>(() => {});
    throw error;
  });
}

/** Returns the calls that an invocation has not awaited: functions of the controller, and requests that may change something. */
export const unfinishedCalls = ({ pending, calls }: Invocation): readonly string[] => [
  ...pending.values(),
  ...calls
    .filter(
      ({ name, end, fault }) => end === undefined && fault === undefined && /^(POST|PUT|PATCH|DELETE) /.test(name),
    )
    .map(({ name }) => name),
];

/** Functions that must not change anything outside, with their names in messages. */
const readers: Readonly<Partial<Record<FunctionName, string>>> = {
  find: 'find',
  findAll: 'findAll',
  observe: 'observe',
  reconcile: 'reconcile, outside of every guard,',
  terminate: 'terminate, outside of every guard,',
};

/** Returns the name in messages of a function that must not change anything outside; undefined for others. */
export const readerOf = (name: FunctionName | undefined): string | undefined => name && readers[name];
