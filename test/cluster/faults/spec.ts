/** Faults as data, and their validation. */

import type { FaultStatus, Moment } from './request-effects.ts';
import type { FaultScope, FaultVerb } from './request-matcher.ts';

/** Limits on the number of hits. */
export interface FaultLimits {
  /** Maximum of hits. @default until it is removed */
  readonly times?: number;
  /** Opportunities to skip before the first hit. @default 0 */
  readonly skip?: number;
  /** Probability of each opportunity, in (0, 1], by the cluster's random source. @default 1 */
  readonly probability?: number;
}

/** Effect on a request. `cut` sends half of the answer's body; `delay` is in ms by the cluster's clock. */
export type RequestAction =
  | 'drop'
  | 'reset'
  | 'cut'
  | { readonly answer: number | FaultStatus }
  | { readonly delay: number };

/** Life of a watch, in events or ms. */
export type Lifetime = { readonly events: number } | { readonly ms: number };

/** End of a watch: broken connection, `410 Expired`, or a regular end. */
export type Ending = 'drop' | 'expire' | 'end';

/** Effect on open and future watches. */
export type WatchAction =
  | 'lose'
  | 'duplicate'
  | 'hold'
  | 'hide-bookmarks'
  | 'hide-initial-end'
  | 'refuse-streaming'
  | { readonly delay: number }
  | { readonly [How in Ending]: { readonly [One in How]: Lifetime } }[Ending];

/** Lag of a cache: frozen, or a number of revisions behind. */
type CacheAction = 'freeze' | { readonly behind: number };

/** Fault of requests, as data. */
export interface RequestFault extends FaultLimits {
  readonly on: FaultVerb;
  readonly resource: string;
  readonly scope?: FaultScope;
  /** Moment relative to the commit. @default before; after for `cut` */
  readonly when?: Moment;
  readonly do: RequestAction;
}

/** Fault of watches, as data; limits count events, or watches if it ends them. */
export interface WatchFault extends FaultLimits {
  readonly watches: string;
  readonly scope?: FaultScope;
  readonly do: WatchAction;
}

/** Lagging watch cache, as data. */
export interface CacheFault {
  readonly cache: string;
  readonly scope?: FaultScope;
  readonly do: CacheAction;
}

/** Crash of a client, as data. */
export interface ClientFault {
  readonly client: FaultScope;
  readonly do: { readonly crash: { readonly writes: number } };
}

/** Any fault, as data. */
export type FaultSpec = RequestFault | WatchFault | CacheFault | ClientFault;

/** Builds the TypeError of a fault that can never happen. */
export const impossibleFault = (why: string): TypeError => new TypeError(`this fault can never happen: ${why}`);

const limitNames = ['times', 'skip', 'probability'];
const members: Readonly<Record<string, readonly string[]>> = {
  on: ['on', 'resource', 'scope', 'when', 'do', ...limitNames],
  watches: ['watches', 'scope', 'do', ...limitNames],
  cache: ['cache', 'scope', 'do'],
  client: ['client', 'do'],
};
const scopeNames = ['namespace', 'name', 'user', 'userAgent'];
const simple: Readonly<Record<string, readonly string[]>> = {
  on: ['drop', 'reset', 'cut'],
  watches: ['lose', 'duplicate', 'hold', 'hide-bookmarks', 'hide-initial-end', 'refuse-streaming'],
  cache: ['freeze'],
  client: [],
};
const complex: Readonly<Record<string, readonly string[]>> = {
  on: ['answer', 'delay'],
  watches: ['delay', 'drop', 'expire', 'end'],
  cache: ['behind'],
  client: ['crash'],
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function checkNames(value: Readonly<Record<string, unknown>>, known: readonly string[], what: string): void {
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new TypeError(`${what} has no ${JSON.stringify(unknown)}; it has ${known.join(', ')}`);
  }
}

const wholeNumber = (value: unknown, least: number, what: string): void => {
  if (Number.isInteger(value) && (value as number) >= least) return;
  throw impossibleFault(`${what} is ${JSON.stringify(value)}, and must be a whole number from ${least}`);
};

/** Throws a TypeError for limits that can never be met. */
function checkLimits({ times, skip, probability }: FaultLimits): void {
  if (times !== undefined && times !== Number.POSITIVE_INFINITY) wholeNumber(times, 1, 'times');
  if (skip !== undefined) wholeNumber(skip, 0, 'skip');
  if (probability === undefined || (probability > 0 && probability <= 1)) return;
  throw impossibleFault(`probability is ${probability}, and must be in (0, 1]`);
}

function checkStatus(answer: unknown): void {
  const status = isObject(answer) ? answer : { code: answer };
  checkNames(status, ['code', 'reason', 'message', 'retryAfter'], 'an answer');
  const { code } = status;
  if (Number.isInteger(code) && (code as number) >= 400 && (code as number) <= 599) return;
  throw new TypeError(`a fault answers a status from 400 to 599, not ${JSON.stringify(code)}`);
}

const checkTime = (value: unknown, what: string): void => {
  if (typeof value === 'number' && value > 0 && Number.isFinite(value)) return;
  throw impossibleFault(`${what} is ${JSON.stringify(value)}, and must be more than 0 ms`);
};

function checkLifetime(life: unknown, how: string): void {
  if (!isObject(life) || Object.keys(life).length !== 1) {
    throw new TypeError(`${how} must be {"events": 3} or {"ms": 500}`);
  }
  checkNames(life, ['events', 'ms'], how);
  if ('events' in life) wholeNumber(life.events, 1, 'events');
  else checkTime(life.ms, 'ms');
}

function checkCrash(crash: unknown): void {
  if (!isObject(crash)) throw new TypeError('crash must be {"writes": 3}');
  checkNames(crash, ['writes'], 'crash');
  wholeNumber(crash.writes, 1, 'writes');
}

const argumentChecks: Readonly<Record<string, (value: unknown) => void>> = {
  answer: checkStatus,
  delay: (value) => checkTime(value, 'delay'),
  behind: (value) => wholeNumber(value, 1, 'behind'),
  crash: checkCrash,
};

function checkAction(kind: string, action: unknown): void {
  if (typeof action === 'string' && simple[kind]!.includes(action)) return;
  const [name = '', ...others] = isObject(action) ? Object.keys(action) : [];
  if (isObject(action) && others.length === 0 && complex[kind]!.includes(name)) {
    const check = argumentChecks[name] ?? ((value: unknown) => checkLifetime(value, name));
    check(action[name]);
    return;
  }
  const known = [...simple[kind]!.map((one) => JSON.stringify(one)), ...complex[kind]!.map((one) => `{"${one}": …}`)];
  throw new TypeError(`"do" is one of ${known.join(', ')}; found ${JSON.stringify(action)}`);
}

function checkMoment({ when, do: action }: Readonly<Record<string, unknown>>): void {
  if (when !== undefined && when !== 'before' && when !== 'after') {
    throw new TypeError(`"when" is before or after; found ${JSON.stringify(when)}`);
  }
  if (action === 'cut' && when === 'before') throw impossibleFault('before the commit there is no answer to cut');
}

/** Throws a TypeError, with what is expected, for an invalid fault or one that can never happen. */
export function checkFault(spec: unknown): asserts spec is FaultSpec {
  const kind = isObject(spec) ? Object.keys(members).find((name) => name in spec) : undefined;
  if (!isObject(spec) || kind === undefined) {
    throw new TypeError(`a fault has one of ${Object.keys(members).join(', ')}; found ${JSON.stringify(spec)}`);
  }
  checkNames(spec, members[kind]!, `a fault with ${JSON.stringify(kind)}`);
  const scope = kind === 'client' ? spec.client : spec.scope;
  if (scope !== undefined) checkNames(isObject(scope) ? scope : { [String(scope)]: 1 }, scopeNames, 'a scope');
  checkAction(kind, spec.do);
  checkLimits(spec as FaultLimits);
  checkMoment(spec);
}
