/** CEL functions that evaluate their operands conditionally or handle errors, such as `&&` and `orValue`. */

import type { Evaluate } from '../frame.ts';
import { noOverload } from '../values/compare.ts';
import { CelError, Optional, type Value } from '../values/values.ts';
import { lookUp } from './operators.ts';

const isError = (value: unknown): value is CelError => value instanceof CelError;

/** Returns the result for two operands of which none is decisive. */
const undecidedResult = (first: Value, second: Value, decisive: boolean): Value => {
  if (isError(first)) return first;
  if (isError(second)) return second;
  return typeof first === 'boolean' && typeof second === 'boolean' ? !decisive : noOverload;
};

const logic =
  (decisive: boolean) =>
  (left: Evaluate, right: Evaluate): Evaluate =>
  (frame) => {
    const first = left(frame);
    if (first === decisive) return decisive;
    const second = right(frame);
    return second === decisive ? decisive : undecidedResult(first, second, decisive);
  };

const otherwise =
  (given: (optional: Optional) => Value) =>
  (left: Evaluate, right: Evaluate): Evaluate =>
  (frame) => {
    const optional = left(frame);
    if (!(optional instanceof Optional)) return isError(optional) ? optional : noOverload;
    return optional.value === undefined ? right(frame) : given(optional);
  };

/** Functions that evaluate their operands conditionally or handle errors. */
export const specialCalls: Readonly<Record<string, (...args: Evaluate[]) => Evaluate>> = {
  '_&&_': (left, right) => logic(false)(left!, right!),
  '_||_': (left, right) => logic(true)(left!, right!),
  '_?_:_': (condition, yes, no) => (frame) => {
    const value = condition!(frame);
    if (typeof value !== 'boolean') return isError(value) ? value : noOverload;
    return (value ? yes! : no!)(frame);
  },
  '@not_strictly_false': (value) => (frame) => {
    frame.charge(1);
    return value!(frame) !== false;
  },
  '_?._': (operand, field) => (frame) => {
    const value = operand!(frame);
    if (isError(value)) return value;
    frame.charge(1);
    const inside = value instanceof Optional ? value.value : value;
    return new Optional(inside === undefined ? undefined : lookUp(inside, field!(frame)));
  },
  or: (left, right) => otherwise((optional) => optional)(left!, right!),
  orValue: (left, right) => otherwise(({ value }) => value!)(left!, right!),
};
