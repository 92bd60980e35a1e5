/** Expands CEL macros. */

import { type Call, copyExpression, type Expression, type Fold, type Ident, type ListLiteral } from './expression.ts';

/** Error of a macro's arguments. */
export class MacroError extends Error {
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

/** Call that may be a macro. */
export interface MacroCall {
  readonly at: number;
  readonly target?: Expression;
  readonly args: readonly Expression[];
}

type Expand = (written: MacroCall) => Expression;

/** Name of the accumulator in the loops of macros. */
export const accumulator = '@result';

const shadowed: ReadonlySet<string> = new Set([accumulator, '__result__']);

/** Returns constructors of expressions at a macro's position. */
const maker = (at: number) => {
  const literal = (value: boolean | bigint): Expression => ({ kind: 'literal', at, value });
  const ident = (name: string): Ident => ({ kind: 'ident', at, name });
  const call = (name: string, ...args: readonly Expression[]): Call => ({ kind: 'call', at, name, args });
  const list = (...items: readonly Expression[]): ListLiteral => ({
    kind: 'list',
    at,
    items: items.map((value) => ({ value, optional: false })),
  });
  const method = (target: Expression, name: string): Call => ({ kind: 'call', at, name, target, args: [] });
  return { literal, ident, call, list, method, gathered: () => ident(accumulator) };
};

type Maker = ReturnType<typeof maker>;

function nameIn(argument: Expression, otherwise: string): string {
  if (argument.kind !== 'ident') throw new MacroError(argument.at, otherwise);
  return argument.name;
}

function variableIn(argument: Expression, otherwise: string): string {
  const name = nameIn(argument, otherwise);
  if (shadowed.has(name)) throw new MacroError(argument.at, 'iteration variable overwrites accumulator variable');
  return name;
}

/** Builds the start, condition, step and result of a loop from the macro's bodies. */
type Loop = (make: Maker, bodies: readonly Expression[]) => Pick<Fold, 'start' | 'condition' | 'step' | 'result'>;

const loops = {
  all: (make, [predicate]) => ({
    start: make.literal(true),
    condition: make.call('@not_strictly_false', make.gathered()),
    step: make.call('_&&_', make.gathered(), predicate!),
    result: make.gathered(),
  }),
  exists: (make, [predicate]) => ({
    start: make.literal(false),
    condition: make.call('@not_strictly_false', make.call('!_', make.gathered())),
    step: make.call('_||_', make.gathered(), predicate!),
    result: make.gathered(),
  }),
  existsOne: (make, [predicate]) => ({
    start: make.literal(0n),
    condition: make.literal(true),
    step: make.call('_?_:_', predicate!, make.call('_+_', make.gathered(), make.literal(1n)), make.gathered()),
    result: make.call('_==_', make.gathered(), make.literal(1n)),
  }),
  list: (make, bodies) => ({
    start: make.list(),
    condition: make.literal(true),
    step: where(make, bodies, make.call('_+_', make.gathered(), make.list(bodies.at(-1)!))),
    result: make.gathered(),
  }),
} satisfies Record<string, Loop>;

/** Returns a step that applies only where the first of two bodies holds. */
function where(make: Maker, bodies: readonly Expression[], step: Expression): Expression {
  return bodies.length === 1 ? step : make.call('_?_:_', bodies[0]!, step, make.gathered());
}

const over =
  (loop: Loop, otherwise: string): Expand =>
  ({ at, target, args }) => {
    const [variable, ...bodies] = args;
    return {
      kind: 'fold',
      at,
      range: target!,
      variable: variableIn(variable!, otherwise),
      accumulator,
      ...loop(maker(at), bodies),
    };
  };

/** Expands `filter(x, p)` to `map(x, p, x)`. */
const filter: Expand = ({ args: [variable, predicate], ...written }) =>
  over(loops.list, 'argument is not an identifier')({ ...written, args: [variable!, predicate!, variable!] });

function twoNames(first: Expression, second: Expression): readonly [string, string] {
  const names = [first, second].map((argument) => nameIn(argument, 'argument must be a simple name'));
  if (names[0] === names[1]) throw new MacroError(second.at, `duplicate variable name: ${names[0]}`);
  return [variableIn(first, ''), variableIn(second, '')];
}

const overTwo =
  (loopOf: (names: readonly [string, string]) => Loop): Expand =>
  ({ at, target, args: [first, second, ...bodies] }) => {
    const names = twoNames(first!, second!);
    const [variable, other] = names;
    const loop = loopOf(names)(maker(at), bodies);
    return { kind: 'fold', at, range: target!, variable, second: other, accumulator, ...loop };
  };

const mapLoop =
  (inserted: (make: Maker, body: Expression) => readonly Expression[]): Loop =>
  (make, bodies) => ({
    start: { kind: 'map', at: make.gathered().at, entries: [] },
    condition: make.literal(true),
    step: where(make, bodies, make.call('cel.@mapInsert', make.gathered(), ...inserted(make, bodies.at(-1)!))),
    result: make.gathered(),
  });

const transformMap = overTwo(([key]) => mapLoop((make, body) => [make.ident(key), body]));
const transformEntries = overTwo(() => mapLoop((_make, body) => [body]));
const transformList = overTwo(() => loops.list);

const has: Expand = ({ at, args: [argument] }) => {
  if (argument?.kind !== 'select' || argument.test)
    throw new MacroError(argument!.at, 'invalid argument to has() macro');
  return { ...argument, at, test: true };
};

/** Returns a loop that binds a name to a value within a body. */
const bound = (
  make: Maker,
  given: { readonly name: string; readonly value: Expression; readonly body: Expression },
): Fold => ({
  kind: 'fold',
  at: make.gathered().at,
  range: make.list(),
  variable: '#unused',
  accumulator: given.name,
  start: given.value,
  condition: make.literal(false),
  step: make.ident(given.name),
  result: given.body,
});

const optional =
  (macro: string, wrap: (make: Maker, value: Expression) => Expression): Expand =>
  ({ at, target, args: [variable, body] }) => {
    const make = maker(at);
    const name = nameIn(variable!, `${macro}() variable name must be a simple identifier`);
    const value = make.method(copyExpression(target!), 'value');
    const mapped = wrap(make, bound(make, { name, value, body: body! }));
    return make.call('_?_:_', make.method(target!, 'hasValue'), mapped, make.call('optional.none'));
  };

const simple = 'argument must be a simple name';
const identifier = 'argument is not an identifier';

/** Macros by name, number of arguments, and a leading dot for methods. */
const expansions: Readonly<Record<string, Expand>> = {
  'has:1': has,
  '.all:2': over(loops.all, simple),
  '.exists:2': over(loops.exists, simple),
  '.exists_one:2': over(loops.existsOne, simple),
  '.existsOne:2': over(loops.existsOne, simple),
  '.map:2': over(loops.list, identifier),
  '.map:3': over(loops.list, identifier),
  '.filter:2': filter,
  '.all:3': overTwo(() => loops.all),
  '.exists:3': overTwo(() => loops.exists),
  '.existsOne:3': overTwo(() => loops.existsOne),
  '.exists_one:3': overTwo(() => loops.existsOne),
  '.transformList:3': transformList,
  '.transformList:4': transformList,
  '.transformMap:3': transformMap,
  '.transformMap:4': transformMap,
  '.transformMapEntry:3': transformEntries,
  '.transformMapEntry:4': transformEntries,
  '.optMap:2': optional('optMap', (make, value) => make.call('optional.of', value)),
  '.optFlatMap:2': optional('optFlatMap', (_make, value) => value),
};

/** Expands a call; one that is not a macro is returned as a call. Throws a MacroError. */
export function expandMacro(name: string, written: MacroCall): Expression {
  const isAbsolute = written.target === undefined && name.startsWith('.'); // `.all(i, p)` is a function of that name, no method
  const key = `${written.target === undefined ? '' : '.'}${name}:${written.args.length}`;
  const expand = isAbsolute ? undefined : expansions[key];
  return expand === undefined ? { kind: 'call', name, ...written } : expand(written);
}
