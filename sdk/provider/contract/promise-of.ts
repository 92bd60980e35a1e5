/**
 * `Promise<Value>`, returned by a function that an author writes. The compiler reports a wrong return in two lines, the second with `_Shape`, and not in a
 * line for each step down to the member: it does not explain a type that depends on `T`, a type parameter of the function's own. A caller gets `Promise<Value>`.
 */
export type PromiseOf<Value, _Shape extends string, T> = T extends unknown ? Promise<Value> : Value;
