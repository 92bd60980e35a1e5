/** Installs and updates CustomResourceDefinitions. */

import type { CustomResourceDefinition, Kind } from '../../api/kind.ts';
import { CustomResourceDefinitionKind } from '../../api/kinds.ts';
import { type Clock, systemClock } from '../../clock.ts';
import { AlreadyExistsError, ConflictError, ForbiddenError, UserError } from '../../errors.ts';
import type { Client } from '../client.ts';
import { ignoreNotFound } from '../ignore-not-found.ts';
import { type CrdVersion, statusGaps } from './crd-gaps.ts';
import { appliedDefinition, type CrdPlan, planCrd } from './crd-plan.ts';
import { untilEstablished, untilServed } from './crd-wait.ts';
import { servedCrdVersion } from './served-crd-version.ts';

/** Options of {@link ensureCrds}. */
export interface EnsureCrdsOptions {
  readonly signal?: AbortSignal;
  /** ms until it fails. @default 60 000 */
  readonly deadline?: number;
  /** Release of this program, such as `1.2.0`: an older release keeps the definitions of a newer one. @default not recorded */
  readonly release?: string;
  /** Creates missing definitions; `false`: they throw E#1017, for programs that have created them before. @default true */
  readonly createMissing?: boolean;
  readonly clock?: Clock;
}

/** Result for one definition. */
export interface CrdOutcome {
  readonly name: string;
  readonly outcome: 'created' | 'updated' | 'kept';
  /** Notice for administrators: a definition of another manager was changed, or one of a newer release was kept. */
  readonly notice?: string;
}

/** Limit of the gaps that a message lists. */
const maxGaps = 5;

/** Client, limits and options of one {@link ensureCrds}. */
interface CrdWork {
  readonly client: Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly release: string | undefined;
  readonly createMissing: boolean;
}

type WrittenDefinition = CrdOutcome & { readonly definition: CustomResourceDefinition };

const missingPermission = (verb: string, name: string, cause: ForbiddenError): UserError =>
  new UserError(
    'E#1011',
    `missing right: ${verb} on customresourcedefinitions.apiextensions.k8s.io "${name}" (${cause.message})`,
    {
      cause,
      hint: `grant it, or have an administrator apply the definitions: \`sequencer crds | kubectl apply -f -\``,
    },
  );

const missingDefinition = (name: string): UserError =>
  new UserError('E#1017', `${name} is no longer on the server: no such object can be made or walked until it is back`, {
    hint: 'apply it again: `sequencer crds | kubectl apply -f -`; if all is to be uninstalled, remove the operator too',
  });

/** Converts a 403 into a UserError that names the missing verb. */
async function withPermissionHint<T>(verb: string, name: string, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw error instanceof ForbiddenError ? missingPermission(verb, name, error) : error;
  }
}

const isMissingPermission = (error: unknown): error is UserError =>
  error instanceof UserError && error.code === 'E#1011';

const find = ({ client, signal }: CrdWork, name: string): Promise<CustomResourceDefinition | undefined> =>
  ignoreNotFound(withPermissionHint('get', name, client.get(CustomResourceDefinitionKind, { name }, { signal })));

/** Applies with force: the sent fields become owned by this manager; fields of other managers are kept. */
function apply(work: CrdWork, value: CustomResourceDefinition, verbs = 'patch'): Promise<CustomResourceDefinition> {
  const { name } = value.metadata;
  const patch = { type: 'apply', value, force: true } as const;
  return withPermissionHint(
    verbs,
    name,
    work.client.patch(CustomResourceDefinitionKind, { name }, patch, { signal: work.signal }),
  );
}

async function update(
  work: CrdWork,
  { definition: wanted, notice }: CrdPlan & { type: 'update' },
  found: CustomResourceDefinition,
): Promise<WrittenDefinition> {
  const { name } = found.metadata;
  try {
    return { name, outcome: 'updated', definition: await apply(work, wanted), ...(notice && { notice }) };
  } catch (error) {
    // Administrators may install the definitions instead: the existing one is used.
    if (!isMissingPermission(error)) throw error;
    return { name, outcome: 'kept', definition: found, notice: error.message };
  }
}

async function write(work: CrdWork, wanted: CustomResourceDefinition): Promise<WrittenDefinition> {
  const { name } = wanted.metadata;
  const found = await find(work, name);
  if (found === undefined && !work.createMissing) throw missingDefinition(name);
  const plan = planCrd(wanted, found, work.release);
  if (plan.type === 'refuse')
    throw new UserError('E#1013', plan.problem, { hint: 'run the release that wrote it, or a newer one' });
  if (found === undefined || plan.type === 'create')
    return {
      name,
      outcome: 'created',
      definition: await apply(work, appliedDefinition(wanted, work.release), 'create, patch'),
    };
  if (plan.type === 'update') return update(work, plan, found);
  return { name, outcome: 'kept', definition: found, ...(plan.notice && { notice: plan.notice }) };
}

/** Retries after a concurrent write, such as another replica's. */
async function retryWrite(work: CrdWork, wanted: CustomResourceDefinition): Promise<WrittenDefinition> {
  for (;;)
    try {
      return await write(work, wanted);
    } catch (error) {
      const isRaced = error instanceof ConflictError || error instanceof AlreadyExistsError;
      if (!isRaced || work.signal.aborted) throw error;
    }
}

/** @throws UserError E#1015 when statuses that this release writes would not be stored as sent */
function refuseGaps(
  wanted: CustomResourceDefinition,
  served: CrdVersion | undefined,
  { name, notice }: CrdOutcome,
): void {
  const gaps = statusGaps(wanted.spec.versions[0]!, served);
  if (gaps.length === 0) return;
  const more = gaps.length > maxGaps ? [`and ${gaps.length - maxGaps} more`] : [];
  throw new UserError(
    'E#1015',
    `${name} on the server does not keep what this release writes: ${[...gaps.slice(0, maxGaps), ...more].join('; ')}`,
    {
      hint: `${notice === undefined ? '' : `${notice}\n`}apply the definition of this release: \`sequencer crds | kubectl apply -f -\``,
    },
  );
}

/** Uses a served definition that this program has no permission to read or write: there is nothing to tell of one that keeps what it writes. */
async function useServed(
  { client, signal }: CrdWork,
  kind: Kind,
  { wanted, missing }: { readonly wanted: CustomResourceDefinition; readonly missing: UserError },
): Promise<CrdOutcome> {
  const served = await servedCrdVersion(client, kind, { signal });
  if (served === undefined) throw missing;
  const outcome = { name: wanted.metadata.name, outcome: 'kept' } as const;
  if (served === 'unknown') return { ...outcome, notice: `${missing.message}; nor can its schema be checked` };
  refuseGaps(wanted, served, { ...outcome, notice: missing.message });
  return outcome;
}

async function ensure(work: CrdWork, kind: Kind): Promise<readonly CrdOutcome[]> {
  if (kind.crd === undefined) return [];
  const wanted = await kind.crd();
  try {
    const { definition, ...outcome } = await retryWrite(work, wanted);
    await withPermissionHint('watch', outcome.name, untilEstablished(work, definition));
    refuseGaps(
      wanted,
      definition.spec.versions.find(({ name, served }) => served && name === kind.version),
      outcome,
    );
    await untilServed(work, kind);
    return [outcome];
  } catch (error) {
    if (!isMissingPermission(error)) throw error;
    return [await useServed(work, kind, { wanted, missing: error })];
  }
}

/**
 * Creates the definitions of these kinds or updates them by server-side apply, and resolves when the server serves them all. Kinds without a
 * definition are skipped. Needs no permissions on definitions if those that this release needs are installed already.
 *
 * # Guarantees
 * Nothing is deleted: unknown versions stay served, and changes by a newer release or a newer version are kept.
 * Once it has resolved, the server stores every status that is valid by these definitions as sent: no field is dropped, no value rejected.
 *
 * @throws UserError E#1011 (not served, and no permission to change that), E#1012 (names taken), E#1013 (an incompatible newer version), E#1014 (not
 * established in time), E#1015 (fields of the status would be dropped or rejected), E#1017 (missing, with `createMissing` false)
 */
export async function ensureCrds(
  client: Client,
  kinds: readonly Kind[],
  options: EnsureCrdsOptions = {},
): Promise<readonly CrdOutcome[]> {
  const { deadline = 60_000, release, createMissing = true, clock = systemClock } = options;
  const limit = new AbortController();
  const cancel = clock.after(deadline, () => limit.abort(new Error(`not done within ${deadline} ms`)));
  const signal = options.signal === undefined ? limit.signal : AbortSignal.any([options.signal, limit.signal]);
  try {
    const work = { client, clock, signal, release, createMissing };
    return (await Promise.all(kinds.map((kind) => ensure(work, kind)))).flat();
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!limit.signal.aborted || error instanceof UserError) throw error;
    throw new UserError('E#1014', `the definitions are not served within ${deadline} ms`, { cause: error });
  } finally {
    cancel();
    limit.abort(new Error('over'));
  }
}
