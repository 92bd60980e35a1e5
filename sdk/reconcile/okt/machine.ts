/** State machines over a graph of states. */

import { GiveUpError } from '../../errors.ts';

/** States and their children in order of priority; the last child is the default transition. A state without children is a leaf. */
export type Graph<S extends string> = { readonly [State in S]: readonly S[] };

/** Event that takes the default transition, to the last child. */
export const defaultTransition = Symbol('default transition');

/** Event: the name of the state to enter, or {@link defaultTransition}. */
export type MachineEvent<S extends string> = S | typeof defaultTransition;

/** Returns the first child that an event names, or the last for {@link defaultTransition}; undefined without a match. */
const raisedChild = <S extends string>(graph: Graph<S>, from: S, raised: ReadonlySet<MachineEvent<S>>): S | undefined =>
  graph[from].find((child) => raised.has(child)) ?? (raised.has(defaultTransition) ? graph[from].at(-1) : undefined);

/** Returns the state after `from`: the first child among `raised`, else the last child, the default; undefined after a leaf. */
export const nextState = <S extends string>(graph: Graph<S>, from: S, raised: ReadonlySet<S>): S | undefined =>
  raisedChild(graph, from, raised) ?? graph[from].at(-1);

/** Maximum number of transitions of one walk; a longer one is an infinite loop. */
const maxTransitions = 1000;

/**
 * Walks a graph from `from`, following the events that `enter` raises, until a leaf was entered. Resolves with the entered states, in order.
 * @throws GiveUpError after 1 000 transitions, and the errors of `enter`
 */
export async function walkGraph<S extends string>(
  graph: Graph<S>,
  from: S,
  enter: (state: S) => Promise<ReadonlySet<S>>,
): Promise<readonly S[]> {
  const path: S[] = [];
  for (let state: S | undefined = from; state !== undefined; ) {
    if (path.length > maxTransitions)
      throw new GiveUpError(`InfiniteLoop: still walking after ${maxTransitions} transitions, now at ${state}`);
    path.push(state);
    state = nextState(graph, state, await enter(state));
  }
  return path;
}

/** Segment of a path: one state, or two that alternate. */
export type PathSegment<S extends string> = S | { readonly loop: readonly [S, S]; readonly times: number };

/** Current state of a machine and the path to it: plain data, to be kept in a status or in a result's `state` between runs. */
export interface Position<S extends string> {
  /** Current state; absent before the first. */
  readonly state?: S;
  /** True from the first `set` until a leaf is entered; events are ignored otherwise. */
  readonly isOn: boolean;
  readonly path: readonly PathSegment<S>[];
  /** Number of segments dropped from the start of the path. */
  readonly dropped: number;
}

/** State machine. Its functions are pure: they take a position and return the next one. */
export interface Machine<S extends string> {
  /** Initial position, without a state. */
  readonly off: Position<S>;
  /** Sets the state, regardless of transitions. @throws TypeError for an unknown state, or the current one while the machine is on */
  set(position: Position<S>, state: S): Position<S>;
  /**
   * Enters the first child that an event names; `defaultTransition` names the last. Returns the same position when no event names a child, or when the machine is off.
   */
  enterNext(position: Position<S>, events: Iterable<MachineEvent<S>>): Position<S>;
}

const isLoop = <S extends string>(segment: PathSegment<S> | undefined): segment is Exclude<PathSegment<S>, S> =>
  typeof segment === 'object';

/** Appends a state to a path; two states that alternate become one segment. */
function extendPath<S extends string>(path: readonly PathSegment<S>[], state: S): readonly PathSegment<S>[] {
  const [before, last] = [path.at(-2), path.at(-1)];
  if (isLoop(before) && before.loop[0] === last && before.loop[1] === state)
    return [...path.slice(0, -2), { ...before, times: before.times + 1 }];
  const [first, second, third] = path.slice(-3);
  if (typeof first === 'string' && typeof second === 'string' && first === third && second === state)
    return [...path.slice(0, -3), { loop: [first, second], times: 2 }];
  return [...path, state];
}

/** Formats a path, such as `>(Run<<>>Servicing)x12>Stopping>End`. */
export const pathOf = <S extends string>({ path, dropped }: Pick<Position<S>, 'path' | 'dropped'>): string =>
  (dropped > 0 ? '>…' : '') +
  path
    .map((segment) => (isLoop(segment) ? `>(${segment.loop.join('<<>>')})x${segment.times}` : `>${segment}`))
    .join('');

/** Formats the path of states in the order of their entry. */
export const pathThrough = <S extends string>(states: readonly S[]): string =>
  pathOf({ path: states.reduce<readonly PathSegment<S>[]>((path, state) => extendPath(path, state), []), dropped: 0 });

function check(graph: Graph<string>, pathLimit: number): void {
  if (!Number.isInteger(pathLimit) || pathLimit < 5 || pathLimit > 1024)
    throw new TypeError(`machine: pathLimit must be a whole number from 5 to 1024, found ${pathLimit}`);
  for (const [state, children] of Object.entries(graph))
    for (const child of children)
      if (!Object.hasOwn(graph, child))
        throw new TypeError(`machine: ${state} leads to ${child}, which the graph does not have`);
}

/**
 * Creates a state machine over a graph, for the life cycle of an application across many runs, for example.
 *
 * # Guarantees
 * The machine is off at first and after a leaf; then events are ignored, and only `set` turns it on. A state that leads to itself stays on.
 * Of several events the child that comes first in the graph wins, regardless of the order of events.
 *
 * @param options.pathLimit number of legs of the path that are kept, 5 to 1024. @default 512
 * @throws TypeError for a child that is not a state of the graph
 */
export function machine<S extends string>(
  graph: Graph<S>,
  { pathLimit = 512 }: { readonly pathLimit?: number } = {},
): Machine<S> {
  check(graph, pathLimit);
  const positionAt = ({ path, dropped }: Position<S>, state: S): Position<S> => {
    const whole = extendPath(path, state);
    const excess = Math.max(0, whole.length - pathLimit);
    return { state, isOn: graph[state].length > 0, path: whole.slice(excess), dropped: dropped + excess };
  };
  return {
    off: { isOn: false, path: [], dropped: 0 },
    set(position, state) {
      if (!Object.hasOwn(graph, state))
        throw new TypeError(`machine: ${state} is not a state of ${Object.keys(graph).join(', ')}`);
      if (position.isOn && position.state === state) throw new TypeError(`machine: it is at ${state} already`);
      return positionAt(position, state);
    },
    enterNext(position, events) {
      if (!position.isOn || position.state === undefined) return position;
      const next = raisedChild(graph, position.state, new Set(events));
      return next === undefined ? position : positionAt(position, next);
    },
  };
}
