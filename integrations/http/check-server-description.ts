/** Checks that the options agree with the description that the server returns. */

import { DefiniteError, messageOf, ThrottledError } from '../../sdk/index.ts';
import { HookMissingError, type HooksClient } from './client.ts';
import type { CheckedHooksOptions } from './options.ts';
import type { HooksDescription } from './protocol.ts';

type Declared = Pick<CheckedHooksOptions, 'name' | 'identity' | 'validForMs' | 'functions'>;

/** Describes an option that contradicts the server's description; undefined when they agree. */
export function descriptionMismatch(
  { identity, validForMs, functions }: Declared,
  described: HooksDescription,
): string | undefined {
  if (described.identity !== identity)
    return `identity is ${described.identity} there, and the option says ${identity}`;
  const missing = functions.filter((name) => !described.functions.includes(name));
  if (missing.length > 0) return `it does not have ${missing.join(', ')}, which the option functions names`;
  if (identity === 'key' && validForMs > (described.validForMs ?? 0))
    return `keys are remembered for ${described.validForMs ?? 0} ms there, and the option validForMs says ${validForMs}`;
  return undefined;
}

/**
 * Returns a check that the server's description agrees with the options: it calls `describe` until that succeeds once. A server without `describe` is
 * trusted. A wrong identity could create an object twice, so the check precedes creations.
 * @throws from the check: ThrottledError, or DefiniteError for a disagreement or a missing description
 */
export function serverDescriptionCheck(
  client: HooksClient,
  declared: Declared,
): (signal: AbortSignal) => Promise<void> {
  const state = { isChecked: false };
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
    if (state.isChecked) return;
    const described = await ask(signal);
    const mistake = described && descriptionMismatch(declared, described);
    if (mistake !== undefined)
      throw new DefiniteError(`${declared.name}: the server is not as the options say: ${mistake}: change one of them`);
    state.isChecked = true;
  };
}
