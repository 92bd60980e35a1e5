import {
  BusyError,
  ConflictError,
  done,
  type Integration,
  isDeleting,
  keyOf,
  NotFoundError,
  type ProviderHost,
  type Reconciler,
  type Result,
  StaleError,
  type Workspace,
} from '../sdk/index.ts';
import { claim, forget, type Moved, release, work, writeStatus } from './moves.ts';
import { summaryOf } from './phase.ts';
import { handledOf, type Move, nextMoves } from './plan.ts';

type Acting = Exclude<Move, { kind: 'adopt' }>;

/** What a walk has come to so far. */
interface Progress {
  workspace: Workspace;
  readonly moved: Set<string>;
  readonly confirmed: Set<string>;
  readonly wishes: number[];
  readonly errors: unknown[];
}

const nameOf = ({ kind, integration }: Acting): string => `${kind}/${integration.name}`;

const newest = (a: Workspace, b: Workspace): Workspace =>
  BigInt(b.metadata.resourceVersion ?? 0) > BigInt(a.metadata.resourceVersion ?? 0) ? b : a;

async function moveOne(host: ProviderHost, workspace: Workspace, { kind, integration }: Acting): Promise<Moved> {
  if (kind === 'reconcile' || kind === 'terminate') return work(host, workspace, { kind, integration });
  try {
    return { workspace: await (kind === 'release' ? release : forget)(host, workspace, integration) };
  } catch (error) {
    return { workspace, error };
  }
}

function note(progress: Progress, move: Acting, { workspace, result, error }: Moved): void {
  progress.workspace = newest(progress.workspace, workspace);
  if (error instanceof BusyError && error.retryAfter !== undefined) progress.wishes.push(error.retryAfter);
  else if (error !== undefined && !(error instanceof BusyError)) progress.errors.push(error);
  if (result?.requeueAfter !== undefined) progress.wishes.push(result.requeueAfter);
  if (error === undefined && move.kind === 'reconcile') progress.confirmed.add(move.integration.condition);
}

/** Conditions that get their slot when a workspace is seen first. */
const adopt = (host: ProviderHost, workspace: Workspace, integrations: readonly Integration[]): Promise<Workspace> =>
  writeStatus(host, workspace, (status) => {
    status.guards ??= {};
    const { phase, observedGeneration, conditions } = summaryOf(workspace, integrations, {
      confirmed: new Set(),
      now: host.clock.now(),
    });
    const slots = handledOf(workspace, integrations)
      .filter(({ condition }) => !conditions.some(({ type }) => type === condition))
      .map(({ condition }) => ({
        type: condition,
        status: 'Initialized' as const,
        reason: 'not started',
        lastTransitionTime: new Date(host.clock.now()).toISOString().replace(/\.\d+/, ''),
      }));
    Object.assign(status, { phase, observedGeneration, conditions: [...slots, ...conditions] });
  });

/** Writes phase, Ready and generations where they differ. */
async function summarize(host: ProviderHost, integrations: readonly Integration[], progress: Progress): Promise<void> {
  const summary = summaryOf(progress.workspace, integrations, { confirmed: progress.confirmed, now: host.clock.now() });
  progress.workspace = await writeStatus(host, progress.workspace, (status) => {
    status.phase = summary.phase;
    status.observedGeneration = summary.observedGeneration;
    if (summary.conditions !== progress.workspace.status?.conditions) status.conditions = [...summary.conditions];
  });
}

const isAway = (workspace: Workspace): boolean =>
  isDeleting(workspace) && (workspace.metadata.finalizers ?? []).length === 0;

/** One round of moves side by side. @returns whether anything may follow from it */
async function round(host: ProviderHost, integrations: readonly Integration[], progress: Progress): Promise<boolean> {
  const moves = nextMoves(progress.workspace, integrations);
  if (moves.some(({ kind }) => kind === 'adopt')) {
    progress.workspace = await adopt(host, progress.workspace, integrations);
    return true;
  }
  const acting = (moves as readonly Acting[]).filter(
    (move) => move.kind !== 'wait' && !progress.moved.has(nameOf(move)),
  );
  const claims = acting.filter(({ kind }) => kind === 'claim');
  for (const move of claims.length > 0 ? claims : acting) progress.moved.add(nameOf(move));
  if (claims.length > 0) {
    progress.workspace = await claim(
      host,
      progress.workspace,
      claims.map(({ integration }) => integration),
    );
    return true;
  }
  const before = progress.workspace;
  const all = await Promise.all(acting.map((move) => moveOne(host, before, move)));
  for (const [index, moved] of all.entries()) note(progress, acting[index]!, moved);
  return acting.length > 0;
}

/** Something has changed under us, or is gone: nothing to say, look again. */
const isRace = (error: unknown): boolean => error instanceof StaleError || error instanceof ConflictError;

function resultOf({ errors, wishes }: Progress): Result {
  const told = errors.filter((error) => !(error instanceof NotFoundError));
  const [first] = [...told.filter((error) => !isRace(error)), ...told];
  if (first !== undefined) throw first;
  return wishes.length === 0 ? done : { requeueAfter: Math.min(...wishes) };
}

async function pass(
  host: ProviderHost,
  integrations: readonly Integration[],
  { progress, signal }: { readonly progress: Progress; readonly signal: AbortSignal },
): Promise<void> {
  if (isDeleting(progress.workspace) && !isAway(progress.workspace)) await summarize(host, integrations, progress);
  while (!signal.aborted && (await round(host, integrations, progress))) {
    if (isAway(progress.workspace)) return;
    await summarize(host, integrations, progress);
  }
}

/** The walk: decide, act, look again, until nothing may move any more in this pass; then write what it adds up to. */
export const walk =
  (host: ProviderHost, integrations: readonly Integration[]): Reconciler<Workspace> =>
  async ({ key, object, signal }) => {
    if (object === undefined) {
      host.sightings.forget(keyOf(key));
      return done;
    }
    const progress: Progress = { workspace: object, moved: new Set(), confirmed: new Set(), wishes: [], errors: [] };
    try {
      await pass(host, integrations, { progress, signal });
    } catch (error) {
      progress.errors.push(error);
    }
    return resultOf(progress);
  };
