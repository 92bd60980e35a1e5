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

function resourcePathOf(apiVersion: string, segments: readonly string[]): ResourcePath {
  const legacyWatch = segments[0] === 'watch' && segments.length > 1;
  const parts = legacyWatch ? segments.slice(1) : segments;
  const [first, second, third] = parts;
  const scoped =
    first === 'namespaces' && second !== undefined && third !== undefined && !namespaceSubresources.has(third);
  const [plural = '', name, subresource, ...rest] = scoped ? parts.slice(2) : parts;
  const namespace = scoped ? second : undefined;
  return { apiVersion, plural, namespace, name, subresource, legacyWatch, rest };
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
  const [root, first, second] = segments;
  if (first === undefined) return { to: 'other', path: `/${root}` };
  if (root === 'api') {
    if (segments.length === 2) return { to: 'version', apiVersion: first };
    return { to: 'resource', path: resourcePathOf(first, segments.slice(2)) };
  }
  if (second === undefined) return { to: 'group', group: first };
  if (segments.length === 3) return { to: 'version', apiVersion: `${first}/${second}` };
  return { to: 'resource', path: resourcePathOf(`${first}/${second}`, segments.slice(3)) };
}
