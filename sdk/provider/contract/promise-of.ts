/**
 * `Promise<Value>`, as the return type of a function that an author writes. The compiler reports a wrong return type in two lines, the second with
 * `_Shape`, since it does not expand a type that depends on the function's own type parameter `T`. A caller gets `Promise<Value>`.
 */
export type PromiseOf<Value, _Shape extends string, T> = T extends unknown ? Promise<Value> : Value;
