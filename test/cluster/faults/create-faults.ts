import { attributesOf } from '../http/attributes.ts';
import type { Handler } from '../http/message.ts';
import type { Machinery } from '../machinery.ts';
import { answering, cutting, delaying, type Effect, type FaultStatus, losing, type Moment } from './effects.ts';
import type { Hold, OpenWatches } from './open-watches.ts';
import { type FaultScope, type FaultVerb, type Matches, matcherOf } from './target.ts';

/** How often a fault happens. */
export interface FaultLimits {
  /** @default until it is removed */
  readonly times?: number;
  /** How many requests pass before the first is hit. @default 0 */
  readonly skip?: number;
  /** For each request, in (0, 1]; by the cluster's own random source. @default 1 */
  readonly probability?: number;
}

/** A fault that was set. */
export interface Fault {
  /** How many requests it has hit. */
  readonly hits: number;
  /** Takes it away. */
  remove(): void;
}

/** What may happen to a request. Each throws a TypeError for limits that let it never happen. */
export interface FaultActions {
  /** The connection closes without an answer. */
  drop(limits?: FaultLimits): Fault;
  /** The connection is reset. */
  reset(limits?: FaultLimits): Fault;
  /** A status is answered; of `after('commit')` the write has been carried out all the same. */
  answer(status: number | FaultStatus, limits?: FaultLimits): Fault;
  /** It takes so many ms more, by the cluster's clock. */
  delay(ms: number, limits?: FaultLimits): Fault;
}

/** Where a fault happens; without `before` or `after` it is before. */
export interface FaultPoint extends FaultActions {
  /** Before the server does anything. */
  before(moment: 'commit'): FaultActions;
  /** After the server has carried the request out, before the client hears of it. */
  after(moment: 'commit'): FaultActions & {
    /** Half of the answer's body comes, then the connection closes. */
    cut(limits?: FaultLimits): Fault;
  };
}

/** What may happen to open watches. */
export interface WatchFaults {
  /** Breaks their connections; tells how many there were. */
  drop(): number;
  /** Ends them with `410 Expired`; tells how many there were. */
  expire(): number;
  /** Keeps back what they would get, and those opened later: a reader that lags behind. */
  hold(): Hold;
}

/** Breaks a cluster on demand. */
export interface Faults {
  /**
   * Names the requests that a fault is for: a verb of RBAC, and a plural such as `workspaces`, `workspaces/status`, `deployments.apps` or `*`.
   * Throws a TypeError when no request could ever match.
   */
  on(verb: FaultVerb, resource: string, scope?: FaultScope): FaultPoint;
  /** Names open watches in the same way. */
  watches(resource: string, scope?: FaultScope): WatchFaults;
  /** Takes all faults away; what was held stays so until it is released. */
  clear(): void;
}

interface Armed {
  readonly matches: Matches;
  readonly effect: Effect;
  readonly limits: Required<FaultLimits>;
  seen: number;
  hits: number;
}

function checked({ times = Number.POSITIVE_INFINITY, skip = 0, probability = 1 }: FaultLimits): Required<FaultLimits> {
  const refuse = (what: string) => new TypeError(`this fault can never happen: ${what}`);
  if (!(times >= 1)) throw refuse(`times is ${times}, and must be at least 1`);
  if (!(skip >= 0)) throw refuse(`skip is ${skip}, and must not be negative`);
  if (!(probability > 0 && probability <= 1)) throw refuse(`probability is ${probability}, and must be in (0, 1]`);
  return { times, skip, probability };
}

/** Whether a fault hits this request; counts. */
function isHit(fault: Armed, random: () => number): boolean {
  const { times, skip, probability } = fault.limits;
  fault.seen += 1;
  if (fault.hits >= times || fault.seen <= skip || (probability < 1 && random() >= probability)) return false;
  fault.hits += 1;
  return true;
}

/** The faults of one cluster, with the handler that they happen in. */
export interface FaultBox {
  readonly faults: Faults;
  /** The handler with the faults that are set around it. */
  handle(core: Handler): Handler;
}

/** What faults are made with. */
export interface FaultSources extends Pick<Machinery, 'clock' | 'random'> {
  /** What is served now. */
  readonly registry: () => Machinery['registry'];
}

/** A box without faults. */
export function createFaults({ registry, clock, random }: FaultSources, watches: OpenWatches): FaultBox {
  const armed = new Set<Armed>();
  const arm = (matches: Matches, effect: Effect, limits: FaultLimits = {}): Fault => {
    const fault: Armed = { matches, effect, limits: checked(limits), seen: 0, hits: 0 };
    armed.add(fault);
    return {
      get hits() {
        return fault.hits;
      },
      remove: () => armed.delete(fault),
    };
  };
  const actionsAt = (matches: Matches, moment: Moment): FaultActions => ({
    drop: (limits) => arm(matches, losing(moment, 'closed'), limits),
    reset: (limits) => arm(matches, losing(moment, 'reset'), limits),
    answer: (status, limits) =>
      arm(matches, answering(moment, typeof status === 'number' ? { code: status } : status), limits),
    delay: (ms, limits) => arm(matches, delaying(moment, clock, ms), limits),
  });
  const faults: Faults = {
    on(verb, resource, scope = {}) {
      const matches = matcherOf(registry(), verb, resource)(scope);
      return {
        ...actionsAt(matches, 'before'),
        before: () => actionsAt(matches, 'before'),
        after: () => ({ ...actionsAt(matches, 'after'), cut: (limits) => arm(matches, cutting, limits) }),
      };
    },
    watches(resource, scope = {}) {
      const matches = matcherOf(registry(), 'watch', resource)(scope);
      return {
        drop: () => watches.drop(matches),
        expire: () => watches.expire(matches),
        hold: () => watches.hold(matches),
      };
    },
    clear: () => armed.clear(),
  };
  return {
    faults,
    handle: (core) => (request) => {
      if (armed.size === 0) return core(request);
      const attributes = attributesOf(request.method, request.url);
      const hit = [...armed].filter((fault) => fault.matches(attributes, request) && isHit(fault, random));
      const chain = hit.reduceRight<Handler>(
        (next, { effect }) =>
          (one) =>
            effect(one, next),
        core,
      );
      return chain(request);
    },
  };
}
