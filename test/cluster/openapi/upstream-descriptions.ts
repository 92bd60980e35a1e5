/** Reads upstream's API descriptions from client-node. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isWide } from './double-spaced-descriptions.ts';
import { textOfComment } from './unescape-comment.ts';

/** Descriptions of a type and its fields. */
export interface ModelTexts {
  readonly type?: string;
  /** Returns the description of a field; undefined without one. */
  field(name: string): string | undefined;
}

/** Upstream's descriptions, where they are available. */
export interface UpstreamTexts {
  /** True when descriptions are available. */
  readonly isAtHand: boolean;
  /** Returns the texts of a component such as `io.k8s.api.core.v1.Pod`. */
  model(component: string): ModelTexts;
  /** Returns the texts of an operation's parameters by name; `api` and `method` are client-node's: `CoreV1Api`, `createNamespacedPod`. */
  parameters(api: string, method: string): ReadonlyMap<string, string>;
}

const componentName = /([\w-]+)\.(v\w+)\.(\w+)$/;
const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** Member with a one-line comment, or the class itself. */
const commented = /\/\*\*\n\s*\* (.*)\n\s*\*\/\n\s*(?:export declare class|'([^']+)'\??:)/g;

/** Returns the generated name of a member that is a reserved word or has a dash. */
const protobufName = (name: string): string => (name.includes('-') ? name.replaceAll('-', '_') : `_${name}`);

function modelFrom(source: string, path: string): ModelTexts {
  const comments = new Map<string, string>();
  for (const [, comment = '', name = ''] of source.matchAll(commented)) comments.set(name, comment);
  const textOf = (name: string, known: string): string | undefined => {
    const comment = comments.get(name);
    return comment === undefined ? undefined : textOfComment(comment, isWide(path, known));
  };
  const type = textOf('', '');
  return {
    ...(type !== undefined && { type }),
    field: (name) => textOf(name, name) ?? textOf(protobufName(name), name),
  };
}

/** Operations of the request factory, each with its parameter comments. */
const operation = /\/\*\*\n((?:\s+\* .*\n)+)\s+\*\/\n\s+(\w+)\(/g;
const parameter = /\* @param (\w+) (.+)/g;

function operationsFrom(source: string): ReadonlyMap<string, string> {
  const end = source.indexOf('ResponseProcessor {');
  const requests = end === -1 ? source : source.slice(0, end);
  return new Map([...requests.matchAll(operation)].map(([, comments = '', method = '']) => [method, comments]));
}

function parametersFrom(comments: string): ReadonlyMap<string, string> {
  const found = [...comments.matchAll(parameter)].map(([, name = '', comment = '']) => [
    name.replace(/^_/, ''),
    comment,
  ]);
  return new Map(found.map(([name = '', comment = '']) => [name, textOfComment(comment, isWide('parameters', name))]));
}

/** Returns the folder of client-node's generated files; undefined when it is not installed. */
function generatedFolder(): URL | undefined {
  try {
    return new URL('./gen/', import.meta.resolve('@kubernetes/client-node'));
  } catch {
    return undefined;
  }
}

const reader =
  (folder: URL) =>
  (path: string): string | undefined => {
    try {
      return readFileSync(new URL(path, folder), 'utf8');
    } catch {
      return undefined;
    }
  };

/** Memoizes a function by key. */
function once<T>(make: (key: string) => T): (key: string) => T {
  const made = new Map<string, T>();
  return (key) => {
    if (!made.has(key)) made.set(key, make(key));
    return made.get(key) as T;
  };
}

const silent: ModelTexts = { field: () => undefined };
const nothing: UpstreamTexts = { isAtHand: false, model: () => silent, parameters: () => new Map() };

/**
 * Reads upstream's texts from the comments in the type declarations of `@kubernetes/client-node`, each file on first
 * use.
 * Without the files there are no descriptions. `folder` is that of the generated files, with `models` and `apis`.
 */
export function upstreamTexts(folder: URL | undefined = generatedFolder()): UpstreamTexts {
  if (folder === undefined || !existsSync(new URL('models/', folder))) return nothing;
  const read = reader(folder);
  const models = new Set(readdirSync(new URL('models/', folder)));
  const model = once((component): ModelTexts => {
    const [, group = '', version = '', kind] = componentName.exec(component) ?? [];
    if (kind === undefined) return silent;
    const name = `${capital(version)}${kind}`;
    // Kinds that several groups share have the group in their file name; one of them may not.
    const own = `${capital(group)}${name}.d.ts`;
    const source = read(`models/${models.has(own) ? own : `${name}.d.ts`}`);
    return source === undefined ? silent : modelFrom(source, `${group}.${kind}`);
  });
  const operations = once((api) => operationsFrom(read(`apis/${api}.d.ts`) ?? ''));
  const parameters = once((key) => {
    const [api = '', method = ''] = key.split(' ');
    return parametersFrom(operations(api).get(method) ?? '');
  });
  return { isAtHand: true, model, parameters: (api, method) => parameters(`${api} ${method}`) };
}
