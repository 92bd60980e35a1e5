/** Parses the declarations of functions. */

import { listOf, mapOf, opaqueOf, optionalOf, paramOf, structOf, type Type, typeOf, types } from './cel-type.ts';

/** Overload of a function. */
export interface Overload {
  /** Id in cost tables. */
  readonly id: string;
  /** True when the first argument is the target of a method. */
  readonly member: boolean;
  readonly args: readonly Type[];
  readonly result: Type;
  /** Names of its type variables. */
  readonly params: readonly string[];
}

/** Overloads by function name. */
export type Functions = ReadonlyMap<string, readonly Overload[]>;

const named: Readonly<Record<string, Type>> = {
  ...types,
  authorizer: structOf('kubernetes.authorization.Authorizer'),
  pathCheck: structOf('kubernetes.authorization.PathCheck'),
  groupCheck: structOf('kubernetes.authorization.GroupCheck'),
  resourceCheck: structOf('kubernetes.authorization.ResourceCheck'),
  decision: structOf('kubernetes.authorization.Decision'),
  quantity: structOf('kubernetes.Quantity'),
  url: structOf('kubernetes.URL'),
  semver: structOf('kubernetes.Semver'),
  format: structOf('kubernetes.NamedFormat'),
  ip: opaqueOf('net.IP'),
  cidr: opaqueOf('net.CIDR'),
};

/** Returns the type of a Kubernetes library by its short name. */
export const libraryType = (name: string): Type => named[name]!;

const generic: Readonly<Record<string, (...params: Type[]) => Type>> = {
  list: listOf,
  map: mapOf,
  optional: optionalOf,
  type: typeOf,
};

/** Splits `a, map<b, c>` at its outer commas. */
function partsOf(text: string): readonly string[] {
  if (text === '') return [];
  const parts: string[] = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '<') depth += 1;
    if (character === '>') depth -= 1;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim());
}

function typeIn(text: string): Type {
  const [, name = '', params] = /^(\w+)(?:<(.*)>)?$/.exec(text)!;
  if (params !== undefined) return generic[name]!(...partsOf(params).map(typeIn));
  return /^[A-Z]$/.test(name) ? paramOf(name) : named[name]!;
}

/** Parses `name id target.(argument, argument) result`; the target is optional. */
function overloadIn(line: string): readonly [string, Overload] {
  const [, name = '', id = '', target, args = '', result = ''] = /^(\S+) (\S+) (?:(\S+)\.)?\((.*)\) (.+)$/.exec(line)!;
  const taken = [...(target === undefined ? [] : [target]), ...partsOf(args)];
  const params = [...new Set([...taken, result].join(' ').match(/\b[A-Z]\b/g))];
  return [name, { id, member: target !== undefined, args: taken.map(typeIn), result: typeIn(result), params }];
}

/** Parses functions from lines of `name id (arguments) result`. */
export function functionsIn(lines: readonly string[]): Functions {
  const functions = new Map<string, Overload[]>();
  for (const line of lines) {
    const [name, overload] = overloadIn(line);
    const others = functions.get(name);
    if (others === undefined) functions.set(name, [overload]);
    else others.push(overload);
  }
  return functions;
}
