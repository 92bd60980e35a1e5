/** One request. Texts may have `{ns}`, the scenario's own namespace, `{hooks}`, where its webhooks are, with `{ca}`, and `{0.metadata.uid}`: what the answer to the step of that number had there. */
export interface Step {
  /** @default POST with a body, GET without one */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS' | 'TRACE';
  readonly path: string;
  /** JSON; a text is sent as it is. */
  readonly body?: unknown;
  /** The body is that of the answer to the step of this number, changed as `set` says. */
  readonly from?: number;
  /** What is put where into the body, by path (`spec.ports[0].name`); `undefined` takes it away. */
  readonly set?: Readonly<Record<string, unknown>>;
  /** @default application/json, application/merge-patch+json for PATCH */
  readonly contentType?: string;
  /** More headers, by their lower-case names. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** The request is a watch, which is left after so many events. */
  readonly events?: number;
  /** The request is a watch, which stays open under this name until a step `collects` its events. */
  readonly opens?: string;
  /** No request, whatever the path: the first `events` events of the watch of this name, which is left then. */
  readonly collects?: string;
  /** What is answered is not compared. */
  readonly silent?: boolean;
  /** The request is repeated until it is answered with this status, or for some seconds. */
  readonly until?: number;
  /** The request is repeated until the answer has these values at their paths, or for some seconds; `undefined` for nothing. */
  readonly awaits?: Readonly<Record<string, unknown>>;
}

/** Requests, one after the other, of which two servers must make the same. */
export interface Scenario {
  /** Unique in its family. */
  readonly name: string;
  /** Whether it gets a namespace of its own. @default true */
  readonly namespace?: boolean;
  /** Whether its steps have nothing to do with each other, so that all are compared, whatever was answered before. @default false */
  readonly apart?: boolean;
  readonly steps: readonly Step[];
}

/** Scenarios that belong together. */
export interface Family {
  /** Those that are always run, in this order: they hold. */
  readonly fixed: () => Iterable<Scenario>;
  /** More of them, made by chance, without end. */
  readonly generated?: (random: () => number) => Iterable<Scenario>;
  /** What both servers are asked first, once for all scenarios. */
  readonly before?: readonly Step[];
  /** Whether both servers have the controllers that belong to an API server (namespaces, garbage, service accounts), or `more` of them: quotas and certificates. @default false */
  readonly controllers?: boolean | 'more';
  /** Whether both servers decide by RBAC. @default false */
  readonly rbac?: boolean;
  /** Whether each server has webhooks that it may call. @default false */
  readonly hooks?: boolean;
  /** Members of objects that are not compared, by name. @default none */
  readonly ignored?: readonly string[];
  /** Lists whose order is by chance, by name. @default none */
  readonly unordered?: readonly string[];
  /** Whether uids and versions are counted each for themselves: the members of custom resources have another order here and there. @default false */
  readonly countedApart?: boolean;
  /** Which headers of answers count besides those that always do. @default none */
  readonly headers?: readonly string[];
  /** What more in texts is not compared, and what stands in its place. @default none */
  readonly masks?: readonly (readonly [RegExp, string])[];
}

type Json = { readonly [name: string]: unknown };

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;

const partsOf = (path: string): readonly string[] =>
  [...path.matchAll(/\["([^"]*)"\]|\[(\d+)\]|([^.[\]]+)/g)].map(([, quoted, index, name]) => quoted ?? index ?? name!);

/** What is at a path such as `metadata.labels["a.b/c"]` or `items[0].spec`; undefined when nothing is. */
export const valueAt = (value: unknown, path: string): unknown =>
  partsOf(path).reduce<unknown>((at, part) => (isJson(at) ? at[part] : undefined), value);

function changedAt(value: unknown, [part, ...rest]: readonly string[], to: unknown): unknown {
  if (part === undefined) return to;
  const member = changedAt(isJson(value) ? value[part] : undefined, rest, to);
  if (Array.isArray(value)) {
    const copy = [...value];
    if (member === undefined) copy.splice(Number(part), 1);
    else copy[Number(part)] = member;
    return copy;
  }
  const { [part]: _old, ...others } = isJson(value) ? value : ({} as Json);
  if (member === undefined) return others;
  return isJson(value) && part in value ? { ...value, [part]: member } : { ...others, [part]: member };
}

/** Whether a value has others at their paths. */
export const hasAt = (value: unknown, wanted: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(wanted).every(([path, member]) => valueAt(value, path) === member);

/** A value with others put in at their paths; `undefined` takes away. */
export const withChanges = (value: unknown, changes: Readonly<Record<string, unknown>>): unknown =>
  Object.entries(changes).reduce((made, [path, to]) => changedAt(made, partsOf(path), to), value);

/** What steps may take up. */
export interface Memory {
  /** The scenario's namespace. */
  readonly ns: string;
  /** The bodies of the answers to the steps before. */
  readonly answers: readonly unknown[];
  readonly hooks?: { readonly url: string; readonly ca: string } | undefined;
}

/** A value with all that is in braces filled in, at every depth. */
export function filledIn(value: unknown, memory: Memory): unknown {
  const { ns, answers, hooks = { url: '', ca: '' } } = memory;
  if (typeof value === 'string') {
    return value
      .replaceAll('{ns}', ns)
      .replaceAll('{hooks}', hooks.url)
      .replaceAll('{ca}', hooks.ca)
      .replace(/\{(\d+)\.([^{}]+)\}/g, (_, step: string, path: string) => String(valueAt(answers[Number(step)], path)));
  }
  if (Array.isArray(value)) return value.map((item) => filledIn(item, memory));
  if (!isJson(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filledIn(member, memory)]));
}
