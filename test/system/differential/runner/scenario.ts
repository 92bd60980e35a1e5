/** Scenarios: requests that two servers must answer alike. */

/**
 * One request. Texts may contain `{ns}`, the scenario's namespace, `{hooks}` and `{ca}`, URL and authority of its webhooks, and
 * `{0.metadata.uid}`: the value at this path in the answer to the step of that number.
 */
export interface Step {
  /** @default POST with a body, GET without one */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS' | 'TRACE';
  readonly path: string;
  /** JSON; a text is sent unchanged. */
  readonly body?: unknown;
  /** Sends the answer to the step of this number, changed as `set` specifies. */
  readonly from?: number;
  /** Values to put into the body by path (`spec.ports[0].name`); `undefined` removes. */
  readonly set?: Readonly<Record<string, unknown>>;
  /** @default application/json, application/merge-patch+json for PATCH */
  readonly contentType?: string;
  /** Further headers, by their lower-case names. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** The request is a watch, closed after that many events. */
  readonly events?: number;
  /** The request is a watch, which stays open under this name until a step `collects` its events. */
  readonly opens?: string;
  /** No request: collects the first `events` events of the watch of this name, then closes it. */
  readonly collects?: string;
  /** The answer is not compared. */
  readonly silent?: boolean;
  /** Repeats the request until this status is returned, for some seconds at most. */
  readonly until?: number;
  /** Repeats the request until the answer has these values at their paths, for some seconds at most; `undefined` for no value. */
  readonly awaits?: Readonly<Record<string, unknown>>;
}

/** Sequence of requests that two servers must answer alike. */
export interface Scenario {
  /** Unique in its family. */
  readonly name: string;
  /** It gets a namespace of its own. @default true */
  readonly namespace?: boolean;
  /** Its steps are independent, so that all are compared, whatever the earlier answers. @default false */
  readonly apart?: boolean;
  readonly steps: readonly Step[];
}

/** Scenarios that belong together. */
export interface Family {
  /** Fixed scenarios, always run in this order: they pass. */
  readonly fixed: () => Iterable<Scenario>;
  /** Generated scenarios, an endless random sequence. */
  readonly generated?: (random: () => number) => Iterable<Scenario>;
  /** Steps that both servers run first, once for all scenarios. */
  readonly before?: readonly Step[];
  /**
   * Both servers run the controllers that belong to an API server (namespaces, garbage collection, service accounts), or `more` of them:
   * quotas and certificates. @default false
   */
  readonly controllers?: boolean | 'more';
  /** Both servers authorize by RBAC. @default false */
  readonly rbac?: boolean;
  /** Each server has webhooks that it may call. @default false */
  readonly hooks?: boolean;
  /** Names of members that are not compared. @default none */
  readonly ignored?: readonly string[];
  /** Names of lists in random order. @default none */
  readonly unordered?: readonly string[];
  /** Numbers uids and versions separately: the order of members in custom resources differs. @default false */
  readonly countedApart?: boolean;
  /** Headers of answers to compare besides the default ones. @default none */
  readonly headers?: readonly string[];
  /** Further patterns masked in texts, with their placeholders. @default none */
  readonly masks?: readonly (readonly [RegExp, string])[];
}

type Json = { readonly [name: string]: unknown };

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;

const partsOf = (path: string): readonly string[] =>
  [...path.matchAll(/\["([^"]*)"\]|\[(\d+)\]|([^.[\]]+)/g)].map(([, quoted, index, name]) => quoted ?? index ?? name!);

/** Returns the value at a path such as `metadata.labels["a.b/c"]` or `items[0].spec`; undefined when there is none. */
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

/** Reports whether a value has these others at their paths. */
export const hasAt = (value: unknown, wanted: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(wanted).every(([path, member]) => valueAt(value, path) === member);

/** Returns a value with others put in at their paths; `undefined` removes. */
export const withChanges = (value: unknown, changes: Readonly<Record<string, unknown>>): unknown =>
  Object.entries(changes).reduce((made, [path, to]) => changedAt(made, partsOf(path), to), value);

/** State that steps may refer to. */
export interface Memory {
  /** The scenario's namespace. */
  readonly ns: string;
  /** Bodies of the answers to earlier steps. */
  readonly answers: readonly unknown[];
  readonly hooks?: { readonly url: string; readonly ca: string } | undefined;
}

/** Replaces everything in braces in a value, at every depth. */
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
