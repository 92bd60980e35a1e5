/** Files that only their owner may read. */

import { randomBytes } from 'node:crypto';
import { chmod, lstat, rename, rm, stat, writeFile } from 'node:fs/promises';

const ownerOnly = 0o600;

/** Takes the rights on an existing file from all but its owner; pipes and devices, such as `/dev/stdout`, keep theirs. */
export async function makePrivate(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile()) await chmod(file, ownerOnly);
}

/** Writes a file by way of another one, so that readers see the complete or the previous content. */
async function replaceFile(file: string, text: string): Promise<void> {
  const unfinished = `${file}.${randomBytes(8).toString('hex')}`;
  try {
    await writeFile(unfinished, text, { mode: ownerOnly, flag: 'wx' });
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Writes a file with its owner's rights only, atomically; pipes, devices and targets of links are written directly. */
export async function writePrivate(file: string, text: string): Promise<void> {
  const found = await lstat(file).catch(() => undefined);
  if (found === undefined || found.isFile()) return replaceFile(file, text);
  await makePrivate(file);
  await writeFile(file, text, { mode: ownerOnly });
}
