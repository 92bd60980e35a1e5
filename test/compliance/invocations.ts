import { AsyncLocalStorage } from 'node:async_hooks';
import type { Call } from './effects.ts';

/** A function of an integration: of its resources, of its guards, or of what it is connected to; and the one that its tasks call. */
export type FunctionName =
  | 'find'
  | 'findAll'
  | 'observe'
  | 'create'
  | 'update'
  | 'remark'
  | 'delete'
  | 'secretOf'
  | 'task'
  | 'recover'
  | 'checkpoint'
  | 'reconcile'
  | 'terminate';

/** One call of a function of the integration, with the calls to the third party that it has made. */
export interface Invocation {
  readonly name: FunctionName;
  readonly calls: Call[];
}

/** What the code that runs now belongs to. */
export const invocation = new AsyncLocalStorage<Invocation>();

/** Functions in which nothing outside may change, and how each is named to its author. */
const readers: Readonly<Partial<Record<FunctionName, string>>> = {
  find: 'find',
  findAll: 'findAll',
  observe: 'observe',
  reconcile: 'reconcile, outside of every guard,',
  terminate: 'terminate, outside of every guard,',
};

/** How a function in which nothing outside may change is named; undefined for those that may change it. */
export const readerOf = (name: FunctionName | undefined): string | undefined => name && readers[name];
