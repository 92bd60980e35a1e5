import type { AcceptedWrite } from '../apimachinery/accepted-write.ts';
import type { Fields } from '../apimachinery/object.ts';
import { builtinKinds } from './builtin-kinds.ts';

/** Returns the server's warnings for an accepted object of a type. */
export const warningsOf = (type: string, object: Fields, { former, part }: AcceptedWrite): readonly string[] => {
  const { warn, warnOfStatus } = builtinKinds[type] ?? {};
  if (part === 'status') return [...(warnOfStatus?.(object, former) ?? [])];
  return part === undefined ? [...(warn?.(object, former) ?? [])] : [];
};
