import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ExecutionContext } from 'ava';
import type { Connection } from '../../../sdk/client/connection.ts';

/** A folder with these files, gone when the test ends. Files that begin with `#!` can be run. */
export async function folderWith(t: ExecutionContext, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'client-'));
  t.teardown(() => rm(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    if (content.startsWith('#!')) await chmod(path, 0o700);
  }
  return folder;
}

type CredentialOptions = Parameters<Connection['credentials']>[0];

/** What an outside call of a credential source takes when nothing was refused before. */
export const usual: CredentialOptions = { renew: false, signal: new AbortController().signal };
/** The same after a 401. */
export const renewed: CredentialOptions = { ...usual, renew: true };
