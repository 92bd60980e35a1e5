/** Files of the page: built ones, or bundled on the first request in a checkout. */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** File of the page. */
export interface Asset {
  readonly type: string;
  readonly body: string;
  readonly etag: string;
}

const packageUrl = (path: string): URL => new URL(path, import.meta.resolve('workspace-sequencer/package.json'));

const types: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'page.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

/** Returns the built files by name; in a checkout they are built now, from the sources. */
async function readFiles(): Promise<Readonly<Record<string, string>>> {
  if (import.meta.url.endsWith('.ts')) {
    const { bundlePage } = (await import(packageUrl('.ci/bundle-page.ts').href)) as {
      bundlePage(): Promise<Readonly<Record<string, string>>>;
    };
    return bundlePage();
  }
  const read = async (name: string) => [name, await readFile(packageUrl(`dist/page/${name}`), 'utf8')] as const;
  return Object.fromEntries(await Promise.all(Object.keys(types).map(read)));
}

const assetOf = (name: string, body: string): Asset => ({
  type: types[name]!,
  body,
  etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
});

/** Loads the files of the page by path: `/` is the page itself. */
export async function loadAssets(): Promise<ReadonlyMap<string, Asset>> {
  const files = await readFiles();
  return new Map(
    Object.keys(types).map((name) => [name === 'index.html' ? '/' : `/${name}`, assetOf(name, files[name] ?? '')]),
  );
}
