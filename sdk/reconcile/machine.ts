import { GiveUpError } from '../errors.ts';

/** States and where each leads: its children in order of priority, the last of them the normal course. A state without children is a leaf. */
export type Graph<S extends string> = { readonly [State in S]: readonly S[] };

/** An event that asks for the normal course: the last child. */
export const defaultState = Symbol('the normal course');

/** What may be raised: the name of the state that it asks for. */
export type Raised<S extends string> = S | typeof defaultState;

/** Where the raised events lead from a state: to its first child that was raised, else nowhere. */
const raisedState = <S extends string>(graph: Graph<S>, from: S, raised: ReadonlySet<Raised<S>>): S | undefined =>
  graph[from].find((child) => raised.has(child)) ?? (raised.has(defaultState) ? graph[from].at(-1) : undefined);

/** The state after `from`: its first child that was raised, else its last, which is the normal course; undefined after a leaf. */
export const nextState = <S extends string>(graph: Graph<S>, from: S, raised: ReadonlySet<S>): S | undefined =>
  raisedState(graph, from, raised) ?? graph[from].at(-1);

/** More transitions than this in one walk are a loop. */
const longestWalk = 1000;

/**
 * Walks a graph in one go: enters `from`, then what the events lead to that `enter` raises, until a leaf was entered. Resolves with every state that was entered.
 * @throws GiveUpError after 1 000 transitions, and what `enter` throws
 */
export async function walkGraph<S extends string>(
  graph: Graph<S>,
  from: S,
  enter: (state: S) => Promise<ReadonlySet<S>>,
): Promise<readonly S[]> {
  const path: S[] = [];
  for (let state: S | undefined = from; state !== undefined; ) {
    if (path.length > longestWalk)
      throw new GiveUpError(`InfiniteLoop: still walking after ${longestWalk} transitions, now at ${state}`);
    path.push(state);
    state = nextState(graph, state, await enter(state));
  }
  return path;
}

/** A part of a path: one state, or two that took turns. */
export type Leg<S extends string> = S | { readonly loop: readonly [S, S]; readonly times: number };

/** Where a machine is and how it got there: plain data, to be kept in a status or in a result's `state` between runs. */
export interface Position<S extends string> {
  /** Absent before the first. */
  readonly state?: S;
  /** Events count only while it is on: from the first `set` until a leaf. */
  readonly isOn: boolean;
  readonly path: readonly Leg<S>[];
  /** Legs that the path has lost at its start. */
  readonly lost: number;
}

/** Any life cycle. Its functions are pure: they take a position and return the one after it. */
export interface Machine<S extends string> {
  /** Where every machine starts: nowhere. */
  readonly off: Position<S>;
  /** Goes to a state whatever leads there. @throws TypeError for a state the graph does not have, or the one it is at while it is on */
  set(position: Position<S>, state: S): Position<S>;
  /** Goes to the first child that an event names; `defaultState` names the last. The same position when none does, or when it is off. */
  enterNext(position: Position<S>, events: Iterable<Raised<S>>): Position<S>;
}

const isLoop = <S extends string>(leg: Leg<S> | undefined): leg is Exclude<Leg<S>, S> => typeof leg === 'object';

/** A path with one more state; two states that take turns become one leg. */
function lengthened<S extends string>(path: readonly Leg<S>[], state: S): readonly Leg<S>[] {
  const [before, last] = [path.at(-2), path.at(-1)];
  if (isLoop(before) && before.loop[0] === last && before.loop[1] === state)
    return [...path.slice(0, -2), { ...before, times: before.times + 1 }];
  const [first, second, third] = path.slice(-3);
  if (typeof first === 'string' && typeof second === 'string' && first === third && second === state)
    return [...path.slice(0, -3), { loop: [first, second], times: 2 }];
  return [...path, state];
}

/** A path as people read it, such as `>(Run<<>>Servicing)x12>Stopping>End`. */
export const pathOf = <S extends string>({ path, lost }: Pick<Position<S>, 'path' | 'lost'>): string =>
  (lost > 0 ? '>…' : '') +
  path.map((leg) => (isLoop(leg) ? `>(${leg.loop.join('<<>>')})x${leg.times}` : `>${leg}`)).join('');

/** The path of states that were entered one after the other. */
export const pathThrough = <S extends string>(states: readonly S[]): string =>
  pathOf({ path: states.reduce<readonly Leg<S>[]>((path, state) => lengthened(path, state), []), lost: 0 });

function check(graph: Graph<string>, pathLimit: number): void {
  if (!Number.isInteger(pathLimit) || pathLimit < 5 || pathLimit > 1024)
    throw new TypeError(`machine: pathLimit must be a whole number from 5 to 1024, found ${pathLimit}`);
  for (const [state, children] of Object.entries(graph))
    for (const child of children)
      if (!Object.hasOwn(graph, child))
        throw new TypeError(`machine: ${state} leads to ${child}, which the graph does not have`);
}

/**
 * A state machine over any graph: for the life of an application across many runs, say.
 *
 * # Guarantees
 * Off at first and after a leaf; events are ignored then, and only `set` turns it on. A state that leads to itself stays on.
 * Of several events the child that the graph names first wins, in whatever order they were raised.
 *
 * @param options.pathLimit how many legs of the path are kept, 5 to 1024. @default 512
 * @throws TypeError for a graph that leads out of itself
 */
export function machine<S extends string>(
  graph: Graph<S>,
  { pathLimit = 512 }: { readonly pathLimit?: number } = {},
): Machine<S> {
  check(graph, pathLimit);
  const entered = ({ path, lost }: Position<S>, state: S): Position<S> => {
    const whole = lengthened(path, state);
    const over = Math.max(0, whole.length - pathLimit);
    return { state, isOn: graph[state].length > 0, path: whole.slice(over), lost: lost + over };
  };
  return {
    off: { isOn: false, path: [], lost: 0 },
    set(position, state) {
      if (!Object.hasOwn(graph, state))
        throw new TypeError(`machine: ${state} is no state of ${Object.keys(graph).join(', ')}`);
      if (position.isOn && position.state === state) throw new TypeError(`machine: it is at ${state} already`);
      return entered(position, state);
    },
    enterNext(position, events) {
      if (!position.isOn || position.state === undefined) return position;
      const next = raisedState(graph, position.state, new Set(events));
      return next === undefined ? position : entered(position, next);
    },
  };
}
