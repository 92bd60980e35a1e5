import type { ResourceInfo } from '../kinds/resource-info.ts';
import { methodNotAllowed, verbNotSupported } from '../status.ts';
import type { ResourcePath } from './routes.ts';

const verbsOfMethods: Readonly<Record<string, string>> = {
  POST: 'create',
  PUT: 'update',
  DELETE: 'delete',
  OPTIONS: '',
};

/** 405 of a method that a path does not take; subresources of custom resources say which verb it is. */
export function notServed(info: ResourceInfo, { subresource }: ResourcePath, method: string): Error {
  const verb = verbsOfMethods[method];
  const isTold = verb === '' || (verb !== undefined && subresource !== undefined);
  return info.custom === undefined || !isTold ? methodNotAllowed() : verbNotSupported(info, verb);
}
