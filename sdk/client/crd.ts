import type { CustomResourceDefinition, Kind } from '../api/kind.ts';
import { CustomResourceDefinitionKind } from '../api/kinds.ts';
import { type Clock, systemClock } from '../clock.ts';
import { AlreadyExistsError, ConflictError, ForbiddenError, UserError } from '../errors.ts';
import type { Client } from './client.ts';
import { type CrdPlan, markOf, planCrd } from './crd-plan.ts';
import { untilEstablished, untilServed } from './crd-wait.ts';
import { ifThere } from './if-there.ts';

/** How {@link ensureCrds} goes about it. */
export interface EnsureCrdsOptions {
  readonly signal?: AbortSignal;
  /** ms until it fails. @default 60 000 */
  readonly deadline?: number;
  /** Ours, such as `1.2.0`: an older release leaves alone what a newer one wrote. @default none noted */
  readonly release?: string;
  readonly clock?: Clock;
}

/** What became of one definition. */
export interface CrdOutcome {
  readonly name: string;
  readonly outcome: 'created' | 'updated' | 'kept';
  /** Something an administrator should hear of: somebody else's definition was changed, or a newer one left alone. */
  readonly notice?: string;
}

interface Work {
  readonly client: Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly release: string | undefined;
}

type Written = CrdOutcome & { readonly definition: CustomResourceDefinition };

const lackingRight = (verb: string, name: string, cause: ForbiddenError): UserError =>
  new UserError(
    'E#1011',
    `missing right: ${verb} on customresourcedefinitions.apiextensions.k8s.io "${name}" (${cause.message})`,
    {
      cause,
      hint: `grant it, or have an administrator apply the definitions: \`sequencer crds | kubectl apply -f -\``,
    },
  );

/** Names the verb that is missing. */
async function may<T>(verb: string, name: string, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw error instanceof ForbiddenError ? lackingRight(verb, name, error) : error;
  }
}

const find = ({ client, signal }: Work, name: string): Promise<CustomResourceDefinition | undefined> =>
  ifThere(may('get', name, client.get(CustomResourceDefinitionKind, { name }, { signal })));

async function update(
  work: Work,
  plan: CrdPlan & { type: 'update' },
  found: CustomResourceDefinition,
): Promise<Written> {
  const { name } = found.metadata;
  const { definition: wanted, notice } = plan;
  try {
    const definition = await work.client.update(CustomResourceDefinitionKind, wanted, { signal: work.signal });
    return { name, outcome: 'updated', definition, ...(notice && { notice }) };
  } catch (error) {
    // Where an administrator installs definitions, we work with what is there.
    if (!(error instanceof ForbiddenError)) throw error;
    return { name, outcome: 'kept', definition: found, notice: lackingRight('update', name, error).message };
  }
}

async function write(work: Work, wanted: CustomResourceDefinition): Promise<Written> {
  const { name } = wanted.metadata;
  const found = await find(work, name);
  const plan = planCrd(wanted, found, work.release);
  if (plan.type === 'refuse')
    throw new UserError('E#1013', plan.problem, { hint: 'run the release that wrote it, or a newer one' });
  if (found === undefined || plan.type === 'create') {
    const marked = {
      ...wanted,
      metadata: { ...wanted.metadata, annotations: { ...wanted.metadata.annotations, ...markOf(work.release) } },
    };
    const creating = work.client.create(CustomResourceDefinitionKind, marked, { signal: work.signal });
    return { name, outcome: 'created', definition: await may('create', name, creating) };
  }
  if (plan.type === 'update') return update(work, plan, found);
  return { name, outcome: 'kept', definition: found, ...(plan.notice && { notice: plan.notice }) };
}

/** Somebody else wrote at the same time, another replica perhaps: look again. */
async function insist(work: Work, wanted: CustomResourceDefinition): Promise<Written> {
  for (;;)
    try {
      return await write(work, wanted);
    } catch (error) {
      const raced = error instanceof ConflictError || error instanceof AlreadyExistsError;
      if (!raced || work.signal.aborted) throw error;
    }
}

async function ensure(work: Work, kind: Kind): Promise<readonly CrdOutcome[]> {
  if (kind.crd === undefined) return [];
  const { definition, ...outcome } = await insist(work, await kind.crd());
  await may('watch', outcome.name, untilEstablished(work, definition));
  await untilServed(work, kind);
  return [outcome];
}

/**
 * Creates the definitions of these kinds or brings them up to date, and resolves when the server serves them all. Kinds without a definition are passed over.
 * Nothing is deleted: versions we do not know stay served, and what a newer release or a newer version has made of a definition stays as it is.
 * @throws UserError E#1011 (missing right), E#1012 (names taken), E#1013 (a newer version we cannot work with), E#1014 (not established in time)
 */
export async function ensureCrds(
  client: Client,
  kinds: readonly Kind[],
  options: EnsureCrdsOptions = {},
): Promise<readonly CrdOutcome[]> {
  const { deadline = 60_000, release, clock = systemClock } = options;
  const limit = new AbortController();
  const cancel = clock.after(deadline, () => limit.abort(new Error(`not done within ${deadline} ms`)));
  const signal = options.signal === undefined ? limit.signal : AbortSignal.any([options.signal, limit.signal]);
  try {
    return (await Promise.all(kinds.map((kind) => ensure({ client, clock, signal, release }, kind)))).flat();
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!limit.signal.aborted || error instanceof UserError) throw error;
    throw new UserError('E#1014', `the definitions are not served within ${deadline} ms`, { cause: error });
  } finally {
    cancel();
    limit.abort(new Error('over'));
  }
}
