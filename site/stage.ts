/** Copies what the site is made of to `site/pages`, where VitePress finds each page under the path that it has on the site. */

import { copyFileSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { groupsOf, otherReleases } from './navigation.ts';
import { filesOf, linkOf, pageOf, pageOfFile, sourcesOfPages, targetsIn } from './pages.ts';

export const root = resolve(import.meta.dirname, '..');
export const pages = join(import.meta.dirname, 'pages');

/** Page that the site begins with. */
export const home = 'docs/README.md';

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
export const version: string = manifest.version;

/** Markdown files that become pages, sorted. */
export const sources: readonly string[] = globSync([...sourcesOfPages], { cwd: root })
  .map((path) => path.replaceAll('\\', '/'))
  .sort();

export const site = { sources: new Set(sources), files: filesOf(manifest.repository, version) };

export const textOf = (source: string): string => readFileSync(join(root, source), 'utf8');

/** Sites of other releases. That of a release itself is served below this one, and lists none. */
export const releases = process.env.SITE_BASE === '/' ? otherReleases(textOf('CHANGELOG.md'), version) : [];

function write(page: string, text: string): void {
  const path = join(pages, page);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Returns the head of the first page: a card for each of its first four groups, which are the paths. */
function headOf(markdown: string): string {
  const features = groupsOf(home, markdown)
    .slice(0, 4)
    .map(({ text, about, items }) => ({ title: text, details: about, link: items[0]?.link }));
  const [, tagline = ''] = markdown.split('\n\n');
  const hero = { name: manifest.name, tagline };
  return `---\n${JSON.stringify({ layout: 'home', hero, features })}\n---\n\n`;
}

/** Copies one Markdown file to its page. */
export function stagePage(source: string): void {
  const markdown = textOf(source);
  const text = source === home ? headOf(markdown) + markdown.slice(markdown.indexOf('\n## ')) : markdown;
  write(pageOf(source), text);
}

/** Returns a page that shows a file, or what is in a folder. */
function pageWith(path: string): string {
  const full = join(root, path);
  if (statSync(full).isDirectory()) {
    const names = readdirSync(full).map((name) => `* \`${name}\``);
    return `# \`${path}\`\n\nA folder of the repository.\n\n${names.join('\n')}\n`;
  }
  return `# \`${path}\`\n\n\`\`\`\`${extname(path).slice(1) || 'text'}\n${readFileSync(full, 'utf8')}\n\`\`\`\`\n`;
}

/** Copies everything but the API reference, which stays as it is. */
export function stage(): void {
  for (const entry of readdirSync(pages, { withFileTypes: true }))
    if (entry.name !== 'api') rmSync(join(pages, entry.name), { recursive: true });
  for (const source of sources) stagePage(source);
  const targets = new Set(sources.flatMap((source) => targetsIn(source, textOf(source))));
  mkdirSync(join(pages, 'public'));
  for (const target of targets) {
    if (target.endsWith('.png')) copyFileSync(join(root, target), join(pages, 'public', target.split('/').at(-1)!));
    else if (linkOf('', target, site) === `/${pageOfFile(target)}`) write(pageOfFile(target), pageWith(target));
  }
}
