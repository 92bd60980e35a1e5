/** Waits until a CustomResourceDefinition is established and served. */

import type { CustomResourceDefinition, Kind } from '../../api/kind.ts';
import { CustomResourceDefinitionKind } from '../../api/kinds.ts';
import type { Clock } from '../../clock.ts';
import { ExpiredError, ForbiddenError, NotFoundError, UnreachableError, UserError } from '../../errors.ts';
import { backoffs } from '../../retry.ts';
import type { Client } from '../client.ts';
import { collectionPath, withQuery } from '../http/paths.ts';

/** Client, clock and signal of a wait. */
export interface WaitOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

type EstablishState = { readonly type: 'established' } | { readonly type: 'wait'; readonly why: string };

/** ms between requests; a definition is served milliseconds after it is established. */
const servedDelay = 50;

/** Evaluates a definition's conditions. @throws UserError E#1012 when its names are taken */
export function establishStateOf({ metadata, status }: CustomResourceDefinition): EstablishState {
  const find = (wanted: string) => status?.conditions?.find(({ type }) => type === wanted);
  const names = find('NamesAccepted');
  if (names?.status === 'False')
    throw new UserError(
      'E#1012',
      `the server does not accept the names of ${metadata.name}: ${names.message ?? names.reason}`,
      {
        hint: 'another CustomResourceDefinition of the same group has them: see `kubectl get crds`',
      },
    );
  const established = find('Established');
  if (established?.status === 'True') return { type: 'established' };
  return {
    type: 'wait',
    why: established?.message ?? established?.reason ?? 'the server has reported no condition of it',
  };
}

/** Watches a definition until it is established or the watch ends. */
async function watchOnce(
  options: WaitOptions,
  from: CustomResourceDefinition,
  onState: (state: EstablishState) => void,
): Promise<void> {
  const { name, resourceVersion = '0' } = from.metadata;
  const { client, signal } = options;
  const selection = { fields: `metadata.name=${name}`, resourceVersion, signal };
  for await (const event of client.watch(CustomResourceDefinitionKind, selection)) {
    if (event.type === 'BOOKMARK') continue;
    if (event.type === 'DELETED') throw new UserError('E#1014', `${name} was deleted while we waited for it`);
    const state = establishStateOf(event.object);
    onState(state);
    if (state.type === 'established') return;
  }
}

/** Watches until the definition is established, and reconnects when the watch ends. @throws UserError E#1012, E#1014 */
export async function untilEstablished(options: WaitOptions, written: CustomResourceDefinition): Promise<void> {
  const { client, clock, signal } = options;
  const key = { name: written.metadata.name };
  let latest = written;
  let latestState = establishStateOf(written);
  while (latestState.type === 'wait') {
    try {
      await watchOnce(options, latest, (state) => {
        latestState = state;
      });
      if (signal.aborted)
        throw new UserError('E#1014', `${key.name} is not established: ${latestState.why}`, {
          hint: `kubectl describe crd ${key.name} says why`,
          cause: signal.reason,
        });
      if ((latestState as EstablishState).type === 'established') return;
      latest = await client.get(CustomResourceDefinitionKind, key, { signal });
      latestState = establishStateOf(latest);
    } catch (error) {
      if (!(error instanceof ExpiredError || error instanceof UnreachableError)) throw error;
      await clock.sleep(backoffs.definitionWatch.initialDelay, signal).catch(() => undefined);
    }
  }
}

/** Resolves when the server serves the kind; a 403 for its list counts as served. */
export async function untilServed({ client, clock, signal }: WaitOptions, kind: Kind): Promise<void> {
  for (;;)
    try {
      await client.raw('GET', withQuery(collectionPath(kind), { limit: 1 }), undefined, { signal });
      return;
    } catch (error) {
      if (error instanceof ForbiddenError) return;
      if (!(error instanceof NotFoundError)) throw error;
      await clock.sleep(servedDelay, signal);
    }
}
