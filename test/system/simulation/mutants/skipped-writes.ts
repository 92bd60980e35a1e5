/** Clients that leave out writes of the guard, or repeat them blindly. */

import { type Client, UnreachableError } from '../../../../sdk/index.ts';
import { kindOf, operationsOf } from './seams.ts';

/** Drops the writes with which a fenced holder hands over its result. */
export const mute = (client: Client): Client => ({
  ...client,
  patch: (...[kind, key, patch, options]) =>
    kindOf(operationsOf(patch)) === 'late' ? client.get(kind, key) : client.patch(kind, key, patch, options),
});

/** Sends an outcome again after a lost answer without considering that it may have been written. */
export const forgettingTries = (client: Client): Client => ({
  ...client,
  async patch(...args) {
    const isOutcome = kindOf(operationsOf(args[2])) === 'outcome';
    for (;;)
      try {
        return await client.patch(...args);
      } catch (error) {
        if (!isOutcome || !(error instanceof UnreachableError)) throw error;
      }
  },
});
