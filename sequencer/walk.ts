import {
  BusyError,
  ConflictError,
  done,
  errorOf,
  type Integration,
  isDeleting,
  isOlder,
  keyOf,
  NotFoundError,
  type ProviderHost,
  type Reconciler,
  type Result,
  StaleError,
  timestamp,
  type Workspace,
} from '../sdk/index.ts';
import { claim, forget, type Moved, release, resolve, work, writeStatus } from './moves.ts';
import { settleOrphans } from './orphans.ts';
import { summaryOf } from './phase.ts';
import { handledOf, type Move, nextMoves } from './plan.ts';

type Acting = Exclude<Move, { kind: 'adopt' }>;

/** What every walk of a sequencer shares. */
export interface WalkHost {
  readonly host: ProviderHost;
  readonly integrations: readonly Integration[];
  /** Integrations that are not registered any more and whose claims are given up. @default none */
  readonly orphan?: ReadonlySet<string>;
}

type Shared = Required<WalkHost> & { readonly registered: ReadonlySet<string>; readonly told: Set<string> };

/** Moves that only change the workspace itself. */
const settling = { release, forget, resolve };

const nameOf = ({ kind, integration }: Acting): string => `${kind}/${integration.name}`;

const newest = (a: Workspace, b: Workspace): Workspace =>
  isOlder(a.metadata.resourceVersion, b.metadata.resourceVersion) ? b : a;

const isAway = (workspace: Workspace): boolean =>
  isDeleting(workspace) && (workspace.metadata.finalizers ?? []).length === 0;

/** Something has changed under us: nothing to say, look again. */
const isRace = (error: unknown): boolean => error instanceof StaleError || error instanceof ConflictError;

/** One pass over one workspace: what it has come to so far. */
class Walk {
  readonly #to: Shared;
  readonly #moved = new Set<string>();
  /** For which generation a provider found nothing more to do, by condition. */
  readonly #confirmed = new Map<string, number | undefined>();
  readonly #wishes: number[] = [];
  readonly #errors: unknown[] = [];
  #workspace: Workspace;

  constructor(to: Shared, workspace: Workspace) {
    this.#to = to;
    this.#workspace = workspace;
  }

  /** Decides, acts, looks again, until nothing may move any more in this pass; after every round writes what it adds up to. */
  async run(signal: AbortSignal): Promise<Result> {
    try {
      this.#workspace = await settleOrphans(this.#to.host, this.#workspace, this.#to);
      if (isDeleting(this.#workspace) && !isAway(this.#workspace)) await this.#summarize();
      while (!signal.aborted && !this.#to.host.stopping.aborted && (await this.#round())) {
        if (isAway(this.#workspace)) break;
        await this.#summarize();
      }
    } catch (error) {
      this.#errors.push(error);
    }
    return this.#result();
  }

  /** Moves side by side. @returns whether anything may follow from it */
  async #round(): Promise<boolean> {
    const { host, integrations } = this.#to;
    const moves = nextMoves(this.#workspace, integrations);
    if (moves.some(({ kind }) => kind === 'adopt')) {
      await this.#adopt();
      return true;
    }
    const acting = (moves as readonly Acting[]).filter(
      (move) => move.kind !== 'wait' && !this.#moved.has(nameOf(move)),
    );
    const claims = acting.filter(({ kind }) => kind === 'claim');
    for (const move of claims.length > 0 ? claims : acting) this.#moved.add(nameOf(move));
    if (claims.length > 0)
      this.#workspace = await claim(
        host,
        this.#workspace,
        claims.map(({ integration }) => integration),
      );
    else await Promise.all(acting.map((move) => this.#move(move)));
    return acting.length > 0;
  }

  async #move(move: Acting): Promise<void> {
    const { host } = this.#to;
    const { kind, integration } = move;
    const { generation } = this.#workspace.metadata;
    if (kind === 'claim' || kind === 'wait') return;
    if (kind === 'reconcile' || kind === 'terminate') {
      const moved = await work(host, this.#workspace, { kind, integration });
      if (kind === 'reconcile' && moved.error === undefined) this.#confirmed.set(integration.condition, generation);
      return this.#note(moved);
    }
    try {
      this.#note({
        workspace: await settling[kind](host, this.#workspace, integration),
      });
    } catch (error) {
      this.#errors.push(error);
    }
  }

  #note({ workspace, result, error }: Moved): void {
    this.#workspace = newest(this.#workspace, workspace);
    if (error instanceof BusyError) {
      if (error.retryAfter !== undefined) this.#wishes.push(error.retryAfter);
    } else if (error !== undefined) this.#errors.push(error);
    if (result?.requeueAfter !== undefined) this.#wishes.push(result.requeueAfter);
  }

  /** Gives every condition its slot when a workspace is seen first. */
  async #adopt(): Promise<void> {
    const { host, integrations } = this.#to;
    const now = host.clock.now();
    const { phase, observedGeneration, conditions } = summaryOf(this.#workspace, integrations, {
      confirmed: new Set(),
      now,
    });
    const slots = handledOf(this.#workspace, integrations)
      .filter(({ condition }) => !conditions.some(({ type }) => type === condition))
      .map(({ condition }) => ({
        type: condition,
        status: 'Initialized' as const,
        reason: 'not started',
        lastTransitionTime: timestamp(now),
      }));
    this.#workspace = await writeStatus(host, this.#workspace, (status) => {
      status.guards ??= {};
      Object.assign(status, { phase, observedGeneration, conditions: [...slots, ...conditions] });
    });
  }

  /** Writes phase, Ready and generations where they differ. */
  async #summarize(): Promise<void> {
    const { host, integrations } = this.#to;
    const seen = this.#workspace;
    const confirmed = [...this.#confirmed].filter(([, generation]) => generation === seen.metadata.generation);
    const summary = summaryOf(seen, integrations, {
      confirmed: new Set(confirmed.map(([type]) => type)),
      now: host.clock.now(),
    });
    this.#workspace = await writeStatus(host, seen, (status) => {
      status.phase = summary.phase;
      status.observedGeneration = summary.observedGeneration;
      if (summary.conditions !== seen.status?.conditions) status.conditions = [...summary.conditions];
    });
  }

  /** @throws the gravest of what went wrong; a workspace that is gone is none of it, nor is having been told to stop */
  #result(): Result {
    if (this.#to.host.stopping.aborted) return done;
    const told = this.#errors.filter((error) => !(error instanceof NotFoundError));
    const [first] = [...told.filter((error) => !isRace(error)), ...told];
    if (first !== undefined) throw errorOf(first);
    return this.#wishes.length === 0 ? done : { requeueAfter: Math.min(...this.#wishes) };
  }
}

/** The sequencer's reconciler: walks one workspace. */
export function walk({ host, integrations, orphan = new Set() }: WalkHost): Reconciler<Workspace> {
  const shared: Shared = {
    host,
    integrations,
    orphan,
    registered: new Set(integrations.map(({ name }) => name)),
    told: new Set(),
  };
  return async ({ key, object, signal }) => {
    if (object !== undefined) return new Walk(shared, object).run(signal);
    host.sightings.forget(keyOf(key));
    return done;
  };
}
