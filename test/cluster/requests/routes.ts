/** Parses request paths. */

/** Components of a path under `/api` or `/apis`. */
export interface ResourcePath {
  /** `v1` or `apps/v1`. */
  readonly apiVersion: string;
  readonly plural: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  /** True for deprecated watch paths: `/api/v1/watch/…`. */
  readonly legacyWatch: boolean;
  /** Segments after the subresource, as in `pods/x/proxy/a/b`. */
  readonly rest: readonly string[];
}

/** Route of a request. */
export type Route =
  | { readonly to: 'resource'; readonly path: ResourcePath }
  | { readonly to: 'version'; readonly apiVersion: string }
  | { readonly to: 'group'; readonly group: string }
  | { readonly to: 'other'; readonly path: string }
  /** Verb without a resource: `/api/v1/watch`. */
  | { readonly to: 'incomplete' }
  /** Invalid percent-encoding. */
  | { readonly to: 'malformed' };

const namespaceSubresources = new Set(['status', 'finalize']);

function resourcePathOf(apiVersion: string, segments: readonly string[], from: number): ResourcePath {
  const legacyWatch = segments[from] === 'watch' && segments.length > from + 1;
  const start = legacyWatch ? from + 1 : from;
  const third = segments[start + 2];
  const scoped = segments[start] === 'namespaces' && third !== undefined && !namespaceSubresources.has(third);
  const at = scoped ? start + 2 : start;
  return {
    apiVersion,
    plural: segments[at] ?? '',
    namespace: scoped ? segments[start + 1] || undefined : undefined,
    name: segments[at + 1],
    subresource: segments[at + 2],
    legacyWatch,
    rest: segments.slice(at + 3),
  };
}

/** Decodes a path as a whole, so that encoded slashes separate segments; undefined when the encoding is invalid. */
function decoded(pathname: string): string | undefined {
  if (!pathname.includes('%')) return pathname;
  try {
    return decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
}

const verbs: ReadonlySet<string> = new Set(['watch', 'proxy']);

function resourceRoute(apiVersion: string, segments: readonly string[], from: number): Route {
  if (segments.length === from + 1 && verbs.has(segments[from]!)) return { to: 'incomplete' };
  return { to: 'resource', path: resourcePathOf(apiVersion, segments, from) };
}

/** Parses a path. Trailing slashes are ignored, repeated ones are not. */
export function routeOf(pathname: string): Route {
  const path = decoded(pathname);
  if (path === undefined) return { to: 'malformed' };
  if (!path.startsWith('/api/') && !path.startsWith('/apis/')) return { to: 'other', path };
  const segments = path.replace(/^\/+|\/+$/g, '').split('/');
  const [root, first, second] = segments;
  if (first === undefined) return { to: 'other', path: `/${root}` };
  if (root === 'api') {
    if (segments.length === 2) return { to: 'version', apiVersion: first };
    return resourceRoute(first, segments, 2);
  }
  if (second === undefined) return { to: 'group', group: first };
  if (segments.length === 3) return { to: 'version', apiVersion: `${first}/${second}` };
  return resourceRoute(`${first}/${second}`, segments, 3);
}
