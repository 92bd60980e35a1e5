import { type ApiObject, equal, type Fields } from '../objects/object.ts';
import type { Write } from './reconciler.ts';

/** Members that Go leaves out when they are zero or empty. */
const isLeftOut = (value: unknown): boolean =>
  value === undefined || value === 0 || value === '' || (Array.isArray(value) && value.length === 0);

/** A status as Go writes it: without what is zero or empty, but for the members that are always shown. */
export const compactStatus = (status: Fields, shown: readonly string[] = []): Fields =>
  Object.fromEntries(
    Object.entries(status).filter(
      ([name, value]) => value !== undefined && (shown.includes(name) || !isLeftOut(value)),
    ),
  );

/** The write of a status; none when nothing has changed. */
export const statusWrites = (object: ApiObject, status: Fields): readonly Write[] =>
  equal(object.status, status) ? [] : [{ do: 'update', object: { ...object, status }, subresource: 'status' }];
