/** Agreement of the options with a server's description. */

import { DefiniteError, messageOf, ThrottledError } from '../../sdk/index.ts';
import { HookMissingError, type HooksClient } from './client.ts';
import type { CheckedHooksOptions } from './options.ts';
import type { HooksDescription } from './protocol.ts';

type Declared = Pick<CheckedHooksOptions, 'name' | 'identity' | 'validForMs' | 'functions'>;

/** Describes an option that contradicts the server's description; undefined when they agree. */
export function disagreement(
  { identity, validForMs, functions }: Declared,
  said: HooksDescription,
): string | undefined {
  if (said.identity !== identity) return `identity is ${said.identity} there, and the option says ${identity}`;
  const missing = functions.filter((name) => !said.functions.includes(name));
  if (missing.length > 0) return `it does not have ${missing.join(', ')}, which the option functions names`;
  if (identity === 'key' && validForMs > (said.validForMs ?? 0))
    return `keys are remembered for ${said.validForMs ?? 0} ms there, and the option validForMs says ${validForMs}`;
  return undefined;
}

/**
 * Returns a check that the server's description agrees with the options: it calls `describe` until that succeeds once. A server without `describe` is
 * trusted. A wrong identity could create an object twice, so the check precedes creations.
 * @throws from the check: ThrottledError, or DefiniteError for a disagreement or a missing description
 */
export function agreementWith(client: HooksClient, declared: Declared): (signal: AbortSignal) => Promise<void> {
  const state = { isAgreed: false };
  const ask = async (signal: AbortSignal): Promise<HooksDescription | undefined> => {
    try {
      return await client.call('describe', {}, signal);
    } catch (error) {
      if (error instanceof HookMissingError) return undefined;
      if (error instanceof ThrottledError) throw error;
      throw new DefiniteError(`nothing was made, since the server does not say what it is: ${messageOf(error)}`, {
        cause: error,
      });
    }
  };
  return async (signal) => {
    if (state.isAgreed) return;
    const said = await ask(signal);
    const mistake = said && disagreement(declared, said);
    if (mistake !== undefined)
      throw new DefiniteError(`${declared.name}: the server is not as the options say: ${mistake}: change one of them`);
    state.isAgreed = true;
  };
}
