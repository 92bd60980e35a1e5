/** Bundles JavaScript with esbuild. */

import { join } from 'node:path';
import { build } from 'esbuild';

/** Options of {@link bundle}. */
export interface Bundling {
  /** Source files, relative to the project; outputs keep their relative paths. */
  readonly entries: readonly string[];
  readonly folder: string;
  /** @default true */
  readonly sourcemap?: boolean;
}

const root = join(import.meta.dirname, '..');

/**
 * Bundles into few files, since Node takes half a millisecond to load each: code shared by several entries goes into common chunks,
 * lazily imported code into files of its own. Packages stay imports. @throws the errors of esbuild
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
