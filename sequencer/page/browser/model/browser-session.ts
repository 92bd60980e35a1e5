/** Place of the page in the browser: its token and its route. */

/** Shown part of the page. */
export type PageRoute =
  | { readonly kind: 'list' }
  | { readonly kind: 'process' }
  | { readonly kind: 'workspace'; readonly key: string; readonly condition: string | undefined };

/** Reads a route from the fragment of an address. */
export function readRoute(hash: string): PageRoute {
  const [, kind, namespace, name, condition] = hash.replace(/^#/, '').split('/').map(decodePart);
  if (kind === 'process') return { kind };
  if (kind !== 'w' || !name) return { kind: 'list' };
  return { kind: 'workspace', key: `${namespace}/${name}`, condition: condition || undefined };
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

/** Returns the fragment of a workspace, or of one of its conditions. */
export const addressOf = (key: string, condition?: string): string =>
  ['#', 'w', ...key.split('/'), ...(condition === undefined ? [] : [condition])]
    .map((part) => (part === '#' ? part : encodeURIComponent(part)))
    .join('/');

/** Returns the token that a fragment brings, as the printed address does: it has no slash. */
export const tokenIn = (hash: string): string | undefined => /^#([\w.~+=-]{16,})$/.exec(hash)?.[1];
