import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..', '..');

/** The project as its users get it: JavaScript, in a folder that is deleted with it. */
export interface Build extends Disposable {
  readonly folder: string;
}

/** Compiles what is measured, and what measures it, without checking types. @throws Error with what the compiler says */
export async function build(signal: AbortSignal): Promise<Build> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      noCheck: true,
      noEmit: false,
      declaration: false,
      sourceMap: false,
      rootDir: root,
      outDir: folder,
      typeRoots: [join(root, 'node_modules', '@types')],
    },
    include: ['sdk', 'sequencer', 'integrations', 'test/cluster', 'test/bench'].map((path) => join(root, path)),
    exclude: ['**/*.test.ts'],
  };
  try {
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const compiler = join(root, 'node_modules', '.bin', 'tsc');
    await promisify(execFile)(compiler, ['-p', folder], { signal, timeout: 60_000 });
  } catch (error) {
    remove();
    const said = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
    throw new Error(`the project does not compile: ${said.slice(0, 1_000)}`, { cause: error });
  }
  return { folder, [Symbol.dispose]: remove };
}
