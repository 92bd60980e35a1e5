/** Writes the files of a scaffold; existing files are never overwritten. */

import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf, UserError } from '../../../sdk/index.ts';

/** File to write, by its path below the folder. */
export interface NewFile {
  readonly path: string;
  readonly content: string;
}

/** Reports whether a file exists. */
export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/**
 * Writes files into a folder, which is created if need be.
 * @throws UserError E#2037 naming the files that exist already, before any is written; E#2035 when one cannot be written
 */
export async function writeFiles(folder: string, files: readonly NewFile[]): Promise<void> {
  const there = await Promise.all(files.map(({ path }) => exists(join(folder, path))));
  const taken = files.filter((_, index) => there[index]).map(({ path }) => path);
  if (taken.length > 0)
    throw new UserError('E#2037', `${folder} already contains ${taken.join(', ')}; nothing was written`, {
      hint: 'choose another name or an empty folder, or move these away',
    });
  try {
    for (const { path, content } of files) {
      const file = join(folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content, { flag: 'wx' });
    }
  } catch (error) {
    throw new UserError('E#2035', `cannot write into ${folder}: ${messageOf(error)}`, {
      hint: 'name a folder that may be written to',
      cause: error,
    });
  }
}
