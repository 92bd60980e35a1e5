import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ExecutionContext } from 'ava';

/** Creates a folder with these files and removes it when the test ends. Files that begin with `#!` are executable. */
export async function aFolder(
  t: Pick<ExecutionContext, 'teardown'>,
  files: Readonly<Record<string, string>> = {},
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'test-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    if (content.startsWith('#!')) await chmod(path, 0o700);
  }
  return folder;
}
