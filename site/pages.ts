/** Decides which file of the repository becomes which page of the site, and where the links of a page lead. Paths have forward slashes and begin at the root of the repository. */

import { dirname, join } from 'node:path/posix';

/** Page of the root of the repository, under the name that it has on the site. */
const pagesOfTheRoot: Readonly<Record<string, string>> = {
  'README.md': 'overview.md',
  'CONTRIBUTING.md': 'contributing.md',
  'CHANGELOG.md': 'changelog.md',
  'SECURITY.md': 'reporting.md',
};

/** Globs of the Markdown files that become pages. */
export const sourcesOfPages: readonly string[] = [
  ...Object.keys(pagesOfTheRoot),
  'docs/**/*.md',
  'integrations/*.md',
  // What several integrations share is not a page for users.
  'integrations/!(aws|code-host|dns)/**/*.md',
  'examples/**/*.md',
];

/** Returns the page that is made of a Markdown file, such as `models/index.md` of `docs/models/README.md`. */
export const pageOf = (source: string): string =>
  pagesOfTheRoot[source] ?? source.replace(/^docs\//, '').replace(/(^|\/)README\.md$/, '$1index.md');

/** Returns the anchor of a heading, as code hosts make it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

/** Returns a Markdown text without its blocks of code, in which brackets are not links. */
export const proseOf = (markdown: string): string => markdown.replace(/^```[\s\S]*?^```/gm, '');

const isOutside = (href: string): boolean => /^([a-z]+:|#)/.test(href);

/** Returns the file that a link leads to, or undefined for one that leads to another site or stays on the page. */
export const targetOf = (source: string, href: string): string | undefined =>
  isOutside(href) ? undefined : join(dirname(source), href.replace(/#.*/, '')).replace(/\/$/, '');

/** Returns the files that the links and pictures of a Markdown file lead to. */
export const targetsIn = (source: string, markdown: string): readonly string[] =>
  [...proseOf(markdown).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, href = '']) => targetOf(source, href) ?? []);

/** Site as far as links need to know it. */
export interface Site {
  /** Markdown files that are pages. */
  readonly sources: ReadonlySet<string>;
  /** Address of the repository's files at this version; without one the site has a page of each file that is linked to. */
  readonly files?: string | undefined;
}

/** Returns the page that shows a file which is not a page itself. */
export const pageOfFile = (path: string): string => `source/${path.replace(/\.md$/, '')}.md`;

/** Returns where a link of a Markdown file leads on the site. */
export function linkOf(from: string, href: string, { sources, files }: Site): string {
  const target = targetOf(from, href);
  if (target === undefined) return href;
  const anchor = /#.*/.exec(href)?.[0] ?? '';
  for (const source of [target, `${target}/README.md`]) if (sources.has(source)) return `/${pageOf(source)}${anchor}`;
  return files === undefined ? `/${pageOfFile(target)}` : `${files}/${target}${anchor}`;
}

/** Returns the address of the files of a version, from the `repository` of package.json: a link, or an object with one. */
export function filesOf(
  repository: string | { readonly url: string } | undefined,
  version: string,
): string | undefined {
  if (repository === undefined) return undefined;
  const url = typeof repository === 'string' ? repository : repository.url;
  return `${url.replace(/^git\+/, '').replace(/\.git$/, '')}/blob/v${version}`;
}
