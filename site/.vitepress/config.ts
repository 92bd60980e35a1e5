import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { renderMermaidSVG } from 'beautiful-mermaid';
import { type DefaultTheme, defineConfig, type MarkdownRenderer } from 'vitepress';
import { addressOf, groupsOf, titleOf } from '../navigation.ts';
import { anchorOf, linkOf, pageOf } from '../pages.ts';
import { home, pages, releases, root, site, sources, stagePage, textOf, version } from '../stage.ts';

const sourceOf = new Map(sources.map((source) => [pageOf(source), source]));

const entryOf = (source: string) => ({ text: titleOf(textOf(source)), link: addressOf(pageOf(source)) });
const under = (text: string, folder: RegExp): DefaultTheme.SidebarItem => ({
  text,
  items: sources.filter((source) => folder.test(source)).map(entryOf),
});
const start: DefaultTheme.SidebarItem[] = groupsOf(home, textOf(home)).map(({ text, items }) => ({
  text,
  items: [...items],
}));

/** Returns the folders under `folder` that hold an index page: each is a door of the package. */
const doorsIn = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(({ name }) => name === 'index.md')
    .map(({ parentPath }) => relative(folder, parentPath).replaceAll('\\', '/'))
    .sort();
const apiOf = (door: string) => ({ text: door || 'API', link: `/api/${door && `${door}/`}` });

const isApi = (page: string): boolean => page.startsWith('api/');

/** Returns the element that shows a diagram. Its text goes through an attribute, since templates may hold no styles. */
function diagramOf(mermaid: string): string {
  const svg = renderMermaidSVG(mermaid, { bg: 'var(--vp-c-bg)', fg: 'var(--vp-c-text-1)' });
  const text = JSON.stringify(svg.replace(/@import url\([^)]*\);/, ''));
  return `<div class="diagram" role="img" aria-label="Diagram" tabindex="0" v-html="${text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></div>`;
}

/** Makes links, pictures, diagrams and names of files of the repository's Markdown what they are on the site. */
function markdownOfTheRepository(md: MarkdownRenderer): void {
  md.core.ruler.push('links-of-the-repository', ({ tokens, env }) => {
    const source = sourceOf.get(env.relativePath);
    if (source === undefined) return;
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.attrGet('href');
      if (token.type === 'link_open' && href !== null) token.attrSet('href', linkOf(source, href, site));
      const picture = token.attrGet('src');
      if (token.type === 'image' && picture !== null) token.attrSet('src', `/${picture.split('/').at(-1)}`);
    }
  });
  const { fence } = md.renderer.rules;
  md.renderer.rules.fence = (tokens, index, ...others) => {
    const { info, content } = tokens[index]!;
    if (info === 'mermaid') return diagramOf(content);
    const [, file] = /\bfile=(\S+)/.exec(info) ?? [];
    return `${file === undefined ? '' : `<p class="file"><code>${file}</code></p>`}${fence?.(tokens, index, ...others)}`;
  };
}

export default defineConfig({
  title: 'workspace-sequencer',
  description: 'Declare an environment as one Kubernetes object: SDK, operator, in-memory cluster and test kit',
  srcDir: 'pages',
  outDir: 'dist',
  metaChunk: true,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  transformPageData: ({ relativePath, frontmatter }) =>
    isApi(relativePath) ? { frontmatter: { ...frontmatter, prev: false, next: false } } : undefined,
  markdown: {
    html: false,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    attrs: { disable: true },
    anchor: { slugify: anchorOf },
    toc: { slugify: anchorOf },
    config: markdownOfTheRepository,
  },
  vite: {
    plugins: [
      {
        name: 'pages-of-the-repository',
        configureServer({ watcher }) {
          watcher.add(sources.map((source) => join(root, source)));
          watcher.on('change', (path) => {
            const source = relative(root, path).replaceAll('\\', '/');
            if (sources.includes(source)) stagePage(source);
          });
        },
      },
    ],
    build: { chunkSizeWarningLimit: 10_000 },
  },
  themeConfig: {
    search: {
      provider: 'local',
      options: {
        // Of files of the repository nothing is found, of the API its names: guides come first.
        _render(text, env, md) {
          if (env.relativePath.startsWith('source/')) return '';
          return md.render(isApi(env.relativePath) ? (text.match(/^#+ .*/gm) ?? []).join('\n\n') : text, env);
        },
      },
    },
    nav: [
      { text: 'Start', link: '/' },
      { text: 'API', link: '/api/', activeMatch: '/api/' },
      { text: 'Integrations', link: '/integrations/', activeMatch: '/integrations/' },
      {
        text: version,
        items: [
          { text: 'Changes', link: '/changelog' },
          { text: 'Contributing', link: '/contributing' },
          ...releases.map((release) => ({ ...release, target: '_self' })),
        ],
      },
    ],
    sidebar: {
      '/': start,
      '/integrations/': [under('Integrations', /^integrations\//), ...start],
      '/cluster': [under('In-memory cluster', /^docs\/cluster(\/|\.md)/), ...start],
      '/models/': [under('Models', /^docs\/models\//), ...start],
      '/api/': doorsIn(join(pages, 'api')).map(apiOf),
    },
    outline: [2, 3],
  },
});
