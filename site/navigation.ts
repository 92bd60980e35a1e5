/** Reads the navigation of the site out of `docs/README.md`: its headings are groups, and the first link of each entry of their lists is a page. */

import { pageOf, targetOf } from './pages.ts';

/** Group of the navigation. */
export interface Group {
  readonly text: string;
  /** First sentence under its heading. */
  readonly about: string;
  readonly items: readonly { readonly text: string; readonly link: string }[];
}

const plain = (markdown: string): string => markdown.replaceAll('`', '');

/** Returns the address of a page within the site, such as `/models/` of `models/index.md`. */
export const addressOf = (page: string): string => `/${page.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '')}`;

/** Returns the groups of a Markdown page, in order. */
export const groupsOf = (source: string, markdown: string): readonly Group[] =>
  markdown
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [text = '', , about = ''] = section.split('\n');
      const items = [...section.matchAll(/^(?:\d+\.|\*) \[([^\]]+)\]\(([^)#\s]+\.md)(#[^)]*)?\)/gm)];
      return {
        text: plain(text),
        about: plain(about),
        items: items.map(([, title = '', href = '', anchor = '']) => ({
          text: plain(title),
          link: addressOf(pageOf(targetOf(source, href) ?? href)) + anchor,
        })),
      };
    });

/** Returns the title of a Markdown page: its first heading. */
export const titleOf = (markdown: string): string => plain(/^# (.+)$/m.exec(markdown)?.[1] ?? 'without a title');

/** Returns the sites of other releases, newest first, by the headings of the changelog: the last one of each minor version, at `/0.1/` beside this site. */
export function otherReleases(
  changelog: string,
  version: string,
): readonly { readonly text: string; readonly link: string }[] {
  const minors = [...changelog.matchAll(/^## (\d+\.\d+)\.\d+/gm)].map(([, minor = '']) => minor);
  return [...new Set(minors)]
    .filter((minor) => !version.startsWith(`${minor}.`))
    .map((minor) => ({ text: minor, link: `/${minor}/` }));
}
