/** Builds the project for benchmarks. */

import { globSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from '../../../../.ci/bundle.ts';

const root = join(import.meta.dirname, '../../../..');
const doors = [
  'sdk/index.ts',
  'sequencer/index.ts',
  'sequencer/cli/main.ts',
  'test/cluster/index.ts',
  'test/compliance/index.ts',
];

/** The project as its users get it: JavaScript in a folder that is deleted on disposal. */
export interface Build extends Disposable {
  readonly folder: string;
}

/** Builds the measured and the measuring code. @throws Error with the bundler's messages */
export async function build(): Promise<Build> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const programs = globSync('test/project/bench/programs/*.ts', { cwd: root });
    await bundle({ entries: [...doors, ...programs], folder });
  } catch (error) {
    remove();
    throw error;
  }
  return { folder, [Symbol.dispose]: remove };
}
