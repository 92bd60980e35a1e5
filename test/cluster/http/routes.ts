/** What a path under `/api` or `/apis` names. */
export interface ResourcePath {
  /** `v1`, `apps/v1`. */
  readonly apiVersion: string;
  readonly plural: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  /** The old spelling of a watch: `/api/v1/watch/…`. */
  readonly legacyWatch: boolean;
  /** What comes after the subresource: `pods/x/proxy/a/b`. */
  readonly rest: readonly string[];
}

/** Where a request goes. */
export type Route =
  | { readonly to: 'resource'; readonly path: ResourcePath }
  | { readonly to: 'version'; readonly apiVersion: string }
  | { readonly to: 'group'; readonly group: string }
  | { readonly to: 'other'; readonly path: string };

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
    namespace: scoped ? segments[start + 1] : undefined,
    name: segments[at + 1],
    subresource: segments[at + 2],
    legacyWatch,
    rest: segments.slice(at + 3),
  };
}

/** The segments of a path, decoded; undefined when it is not well encoded. */
function segmentsOf(pathname: string): readonly string[] | undefined {
  const segments = pathname.split('/').filter((segment) => segment !== '');
  if (!pathname.includes('%')) return segments;
  try {
    return segments.map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/** Reads a path; segments are percent-decoded, and a path that is not well encoded goes nowhere. */
export function routeOf(pathname: string): Route {
  if (!pathname.startsWith('/api/') && !pathname.startsWith('/apis/')) return { to: 'other', path: pathname };
  const segments = segmentsOf(pathname);
  if (segments === undefined) return { to: 'other', path: pathname };
  const root = segments[0];
  const first = segments[1];
  const second = segments[2];
  if (first === undefined) return { to: 'other', path: `/${root}` };
  if (root === 'api') {
    if (segments.length === 2) return { to: 'version', apiVersion: first };
    return { to: 'resource', path: resourcePathOf(first, segments, 2) };
  }
  if (second === undefined) return { to: 'group', group: first };
  if (segments.length === 3) return { to: 'version', apiVersion: `${first}/${second}` };
  return { to: 'resource', path: resourcePathOf(`${first}/${second}`, segments, 3) };
}
