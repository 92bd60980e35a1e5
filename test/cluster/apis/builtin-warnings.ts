/** Warnings about objects of built-in kinds. */

import type { AcceptedWrite } from '../apimachinery/accepted-write.ts';
import type { Fields } from '../apimachinery/object.ts';
import { builtinKinds } from './builtin-kinds.ts';

/** Returns the server's warnings for an accepted object of a type. */
export const warningsOf = (type: string, object: Fields, { former, subresource }: AcceptedWrite): readonly string[] => {
  const { warn, warnOfStatus } = builtinKinds[type] ?? {};
  if (subresource === 'status') return [...(warnOfStatus?.(object, former) ?? [])];
  return subresource === undefined ? [...(warn?.(object, former) ?? [])] : [];
};
