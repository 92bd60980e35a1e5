/** Responses of 405. */

import type { ResourceInfo } from '../apimachinery/resource-info.ts';
import { methodNotAllowed, verbNotSupported } from '../apimachinery/status.ts';
import type { ResourcePath } from '../requests/routes.ts';

const verbsOfMethods: Readonly<Record<string, string>> = {
  POST: 'create',
  PUT: 'update',
  DELETE: 'delete',
  OPTIONS: '',
};

/** Returns the 405 for a method that a path does not support; for subresources of custom resources it names the verb. */
export function methodNotSupported(info: ResourceInfo, { subresource }: ResourcePath, method: string): Error {
  const verb = verbsOfMethods[method];
  const isTold = verb === '' || (verb !== undefined && subresource !== undefined);
  return info.custom === undefined || !isTold ? methodNotAllowed() : verbNotSupported(info, verb);
}
