/** A remote in memory. */

import { type Remote, remote } from '../../../../sdk/reconcile/operator-sdk-extra/remote.ts';
import { finalizerName, type Parent } from './a-parent.ts';

/** External object. */
export interface Thing {
  readonly size?: number;
  readonly title?: string;
  readonly colour?: string;
}

/** A remote over one slot of memory; every hook's call is logged and can be overridden. */
export function theRemote(overrides: Partial<Remote<Parent, string, Thing>> = {}) {
  const calls: string[] = [];
  const outside: { thing: Thing | undefined } = { thing: undefined };
  const reconcile = remote<Parent, string, Thing>({
    finalizer: finalizerName,
    status: { fields: ['isOnError', 'lastErrorMessage', 'observedGeneration', 'isSync'] },
    async connect() {
      calls.push('connect');
      return 'api';
    },
    async read({ object }) {
      calls.push('read');
      return { current: outside.thing, wanted: { ...object.spec } };
    },
    async create(_context, _api, wanted) {
      calls.push('create');
      outside.thing = wanted;
    },
    async update(_context, _api, { next }) {
      calls.push('update');
      outside.thing = next;
    },
    async delete() {
      calls.push('delete');
      outside.thing = undefined;
    },
    async onSuccess() {
      calls.push('onSuccess');
    },
    ...overrides,
  });
  return { calls, outside, reconcile };
}
