/** Status writes of controllers. */

import { type ApiObject, equal, type Fields } from '../../apimachinery/object.ts';
import type { Write } from './reconciler.ts';

/** Reports whether Go's `omitempty` leaves a value out. */
const isLeftOut = (value: unknown): boolean =>
  value === undefined || value === 0 || value === '' || (Array.isArray(value) && value.length === 0);

/** Drops empty members of a status, as Go's `omitempty` does, except for those in `shown`. */
export const compactStatus = (status: Fields, shown: readonly string[] = []): Fields =>
  Object.fromEntries(
    Object.entries(status).filter(
      ([name, value]) => value !== undefined && (shown.includes(name) || !isLeftOut(value)),
    ),
  );

/** Returns the write of a status; none when it is unchanged. */
export const statusWrites = (object: ApiObject, status: Fields): readonly Write[] =>
  equal(object.status, status) ? [] : [{ do: 'update', object: { ...object, status }, subresource: 'status' }];
