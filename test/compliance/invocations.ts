/** Attributes calls to the functions of an integration. */

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Call } from './effects.ts';

/** Function of an integration: of its resources, guards or provider, or one that its tasks call. */
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

/** Call of an integration's function, with the calls to the third party that it made. */
export interface Invocation {
  readonly name: FunctionName;
  readonly calls: Call[];
}

/** Invocation that the running code belongs to. */
export const invocation = new AsyncLocalStorage<Invocation>();

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
