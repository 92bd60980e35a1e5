/** Follows changes of the definitions on the server. */

import {
  aborted,
  backoffs,
  type Client,
  type Clock,
  CustomResourceDefinitionKind,
  ForbiddenError,
  isDeleting,
  type Kind,
  resourceOf,
} from '../../../sdk/index.ts';

/** Options of {@link followDefinitions}. */
export interface DefinitionChangeOptions {
  /** Called after a definition has changed or is gone; not while it is being deleted. */
  readonly changed: () => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Watches a definition while the server allows it; yields its uid and generation at each change, and `gone` after its deletion. */
async function* states(client: Client, name: string, signal: AbortSignal): AsyncGenerator<string> {
  const selection = { fields: `metadata.name=${name}`, signal };
  for await (const event of client.watch(CustomResourceDefinitionKind, selection)) {
    if (event.type === 'BOOKMARK') continue;
    if (event.type === 'DELETED') yield 'gone';
    else if (!isDeleting(event.object)) yield `${event.object.metadata.uid} ${event.object.metadata.generation}`;
  }
}

async function follow(
  client: Client,
  name: string,
  { changed, clock, signal }: DefinitionChangeOptions,
): Promise<void> {
  let known: string | undefined;
  while (!signal.aborted) {
    try {
      for await (const state of states(client, name, signal)) {
        if (known !== undefined && known !== state) changed();
        known = state;
      }
    } catch (error) {
      if (error instanceof ForbiddenError) return aborted(signal);
    }
    await clock.sleep(backoffs.definitionChanges.initialDelay, signal).catch(() => undefined);
  }
}

/**
 * Watches the definitions of these kinds until the signal aborts, and reports each change of one. Never rejects; reports nothing if they may not
 * be watched.
 */
export async function followDefinitions(
  client: Client,
  kinds: readonly Kind[],
  options: DefinitionChangeOptions,
): Promise<void> {
  await Promise.all(kinds.map((kind) => follow(client, resourceOf(kind), options)));
}
