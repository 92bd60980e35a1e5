import { join } from 'node:path';
import { build } from 'esbuild';

/** What to make JavaScript of. */
export interface Bundling {
  /** Source files, relative to the project; each keeps its place. */
  readonly entries: readonly string[];
  readonly folder: string;
  /** @default true */
  readonly sourcemap?: boolean;
}

const root = join(import.meta.dirname, '..');

/**
 * Makes JavaScript in few files, since Node takes half a millisecond for each that it loads: what several entries need is in chunks that they share,
 * what is imported late is in files of its own. Packages stay imports. Throws what esbuild says.
 */
export async function bundle({ entries, folder, sourcemap = true }: Bundling): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: [...entries],
    outdir: folder,
    outbase: root,
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node22.20',
    packages: 'external',
    sourcemap,
    sourcesContent: false,
    logLevel: 'silent',
  });
}
