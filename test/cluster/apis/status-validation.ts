/** Building blocks of the validation of statuses. */

import { fields, notNegative, type Rule } from '../apimachinery/validation/combinators.ts';
import { type Check, fieldsOf, invalid } from '../apimachinery/validation/errors.ts';

/** Returns the rule of non-negative numbers, in this order. */
export const amounts = (...names: readonly string[]): Rule =>
  fields(Object.fromEntries(names.map((name) => [name, notNegative])));

/** Returns a number; 0 for any other value. */
export const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** Returns the rule of counts that must not exceed a total; `shown` is its name in the message. */
export const within = (whole: string, shown: string, ...parts: readonly string[]): Rule =>
  function* (value, path) {
    const status = fieldsOf(value);
    for (const part of parts) {
      if (numberOf(status[part]) <= numberOf(status[whole])) continue;
      yield invalid(`${path}.${part}`, status[part], `cannot be greater than ${shown}`);
    }
  };

/** Returns the check of a status by rules; the collision count must not decrease. */
export const statusOf = (...rules: readonly Rule[]): Check =>
  function* (object, old) {
    for (const rule of rules) yield* rule(object.status, 'status');
    const [now, before] = [fieldsOf(object.status).collisionCount, fieldsOf(old?.status).collisionCount];
    if (typeof before === 'number' && numberOf(now) < before) {
      yield invalid('status.collisionCount', numberOf(now), 'cannot be decremented');
    }
  };
