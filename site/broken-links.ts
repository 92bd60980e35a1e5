/** Finds the links of a built site that lead to no file, or to no anchor of a page. */

import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const idsIn = (html: string): ReadonlySet<string> =>
  new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id));

const linksIn = (html: string): ReadonlySet<string> =>
  new Set([...html.matchAll(/<a\s[^>]*?href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&')));

/** Place of a site on its host. */
export interface Place {
  /** Path that the site is served under. @default '/' */
  readonly base?: string;
  /** Paths of other sites beside it, whose pages are not looked at. @default none */
  readonly beside?: readonly string[];
}

/** Returns one sentence for each link that leads nowhere, its page first. */
export function brokenLinks(folder: string, { base = '/', beside = [] }: Place = {}): readonly string[] {
  const texts = new Map(
    globSync('**/*.html', { cwd: folder }).map((page) => [page, readFileSync(join(folder, page), 'utf8')]),
  );
  const ids = new Map([...texts].map(([page, text]) => [page, idsIn(text)]));

  const mistakeIn = (page: string, href: string): string | undefined => {
    const { host, pathname, hash } = new URL(href, `http://site${base}${page}`);
    if (host !== 'site' || beside.some((other) => pathname.startsWith(other))) return undefined;
    if (!pathname.startsWith(base)) return `${page}: ${href} leaves the site`;
    const target = decodeURIComponent(pathname.slice(base.length)).replace(/(^|\/)$/, '$1index.html');
    const anchors = ids.get(target);
    if (anchors === undefined) return existsSync(join(folder, target)) ? undefined : `${page}: ${href} leads nowhere`;
    const anchor = decodeURIComponent(hash.slice(1));
    return anchor === '' || anchors.has(anchor) ? undefined : `${page}: ${href}: no such anchor`;
  };

  return [...texts].flatMap(([page, text]) => [...linksIn(text)].flatMap((href) => mistakeIn(page, href) ?? []));
}
