/** Watch of files by their folders, since editors replace files on save. */

import { existsSync, type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Clock } from '../../../sdk/index.ts';

/** Options of {@link watchFiles}. */
export interface FileWatchOptions {
  /** Returns the absolute paths to watch; called again by each `refresh`. */
  readonly files: () => Iterable<string>;
  /** Called with the changed files, once for a burst of changes. */
  readonly onChange: (changed: ReadonlySet<string>) => void;
  readonly clock: Clock;
}

/** Running watch of files. */
export interface FileWatch extends Disposable {
  /** Watches the folders of new files. */
  refresh(): void;
}

/** ms without another change until changes are reported, since a file is written in several steps. */
const debounce = 60;

/** ms between two looks for a folder that is missing, or was deleted. */
const lookInterval = 250;

/** Watches files until disposed, also those of a folder that is missing, or deleted and made again. */
export function watchFiles({ files, onChange, clock }: FileWatchOptions): FileWatch {
  const watchers = new Map<string, FSWatcher>();
  /** Cancels the next look for a missing folder, by folder. */
  const looks = new Map<string, () => void>();
  const changed = new Set<string>();
  let cancel: (() => void) | undefined;

  const report = (): void => {
    const all = new Set(changed);
    changed.clear();
    onChange(all);
  };
  const reportSoon = (known: readonly string[]): void => {
    if (known.length === 0) return;
    for (const file of known) changed.add(file);
    cancel?.();
    cancel = clock.after(debounce, report);
  };
  const filesIn = (folder: string): readonly string[] => [...files()].filter((file) => dirname(file) === folder);
  const onEvent = (folder: string, name: string | null): void => {
    reportSoon(filesIn(folder).filter((file) => name === null || basename(file) === name));
    if (name === basename(folder) || !existsSync(folder)) watchAgain(folder); // the folder itself was deleted or replaced
  };
  const watchFolder = (folder: string): void => {
    try {
      const watcher = watch(folder, (_event, name) => onEvent(folder, name));
      watcher.on('error', () => watchAgain(folder));
      watchers.set(folder, watcher);
    } catch {
      // The folder of a missing import may not exist.
      const stop = clock.after(lookInterval, () => watchAgain(folder));
      looks.set(folder, stop);
    }
  };
  /** Watches a folder in place of its earlier self, and reports what is in it: it may have changed unseen. */
  const watchAgain = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
    looks.get(folder)?.();
    looks.delete(folder);
    if (filesIn(folder).length === 0) return;
    watchFolder(folder);
    if (watchers.has(folder)) reportSoon(filesIn(folder).filter((file) => existsSync(file)));
  };
  const refresh = (): void => {
    for (const folder of new Set([...files()].map(dirname)))
      if (!watchers.has(folder) && !looks.has(folder)) watchFolder(folder);
  };

  refresh();
  return {
    refresh,
    [Symbol.dispose]() {
      cancel?.();
      for (const stop of looks.values()) stop();
      for (const watcher of watchers.values()) watcher.close();
    },
  };
}
