/**
 * Return type of a function that an author of an integration writes; the same as `Promise<Value>` for its callers. It makes compiler errors short:
 * TypeScript does not expand a type that depends on the function's own type parameter `T`, and prints `_Shape` in place of the whole value type.
 */
export type CallbackPromise<Value, _Shape extends string, T> = T extends unknown ? Promise<Value> : Value;
