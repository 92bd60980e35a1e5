/** Bundles JavaScript with Rollup. */

import { join } from 'node:path';
import { normalize } from 'node:path/posix';
import { transform } from 'esbuild';
import { type OutputChunk, type OutputOptions, type Plugin, type RollupBuild, rollup } from 'rollup';

/** Options of {@link bundle}. */
export interface Bundling {
  /** Source files, relative to the project; outputs keep their relative paths. */
  readonly entries: readonly string[];
  readonly folder: string;
}

const root = join(import.meta.dirname, '..');

/** Entries that share most of their code. */
const doors = ['sdk/index', 'sequencer/index', 'test/cluster/index', 'test/compliance/index', 'sequencer/cli/main'];

const stripTypes: Plugin = {
  name: 'strip-types',
  async transform(code, path) {
    if (path.endsWith('.json')) return { code: `export default ${code}`, map: null };
    const stripped = await transform(code, { loader: 'ts', target: 'node22.20', sourcefile: path });
    return { code: stripped.code, map: null };
  },
};

const format: OutputOptions = { format: 'esm', hoistTransitiveImports: false, minifyInternalExports: false };

/** Returns the names of a chunk and of all chunks that are loaded with it. */
function closureOf(name: string, chunks: ReadonlyMap<string, OutputChunk>): ReadonlySet<string> {
  const reached = new Set([name]);
  for (const each of reached) for (const imported of chunks.get(each)?.imports ?? []) reached.add(imported);
  return reached;
}

/** Returns the name of the chunk for each module that is loaded with a door: `sdk-sequencer` for what these two share. */
async function chunkOfModules(build: RollupBuild): Promise<ReadonlyMap<string, string>> {
  const { output } = await build.generate({ ...format, entryFileNames: '[name]' });
  const chunks = new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])));
  const closures = doors.map((door) => [door.split('/').at(-2)!, closureOf(door, chunks)] as const);
  const usersOf = (name: string) => closures.flatMap(([room, closure]) => (closure.has(name) ? [room] : []));
  return new Map(
    [...chunks].flatMap(([name, { moduleIds }]) => {
      const users = usersOf(name);
      return users.length > 0 ? moduleIds.map((path) => [path, users.join('-')] as const) : [];
    }),
  );
}

/**
 * Bundles into few files, since Node takes half a millisecond to load each. What doors load goes into a chunk for each set of doors that
 * share it, and what is imported lazily into files of its own. Packages stay imports. @throws the errors and warnings of Rollup
 */
export async function bundle({ entries, folder }: Bundling): Promise<void> {
  const build = await rollup({
    input: Object.fromEntries(entries.map((path) => [normalize(path).replace(/\.ts$/, ''), join(root, path)])),
    plugins: [stripTypes],
    external: /^[^./]/,
    treeshake: { moduleSideEffects: (path) => /[\\/]supported-node\.ts$/.test(path) },
    onLog: (level, log) => {
      // The architecture test refuses cycles of modules that matter.
      if (level === 'warn' && log.code !== 'CIRCULAR_DEPENDENCY') throw new Error(log.message);
    },
  });
  const chunks = await chunkOfModules(build);
  await build.write({
    ...format,
    dir: folder,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
    manualChunks: (path) => chunks.get(path),
    onlyExplicitManualChunks: true,
  });
}
