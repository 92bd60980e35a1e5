/** Watch of files by their folders, since editors replace files on save. */

import { type FSWatcher, watch } from 'node:fs';
import { dirname, join } from 'node:path';
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

/** Watches files until disposed. Missing or unwatchable folders are skipped. */
export function watchFiles({ files, onChange, clock }: FileWatchOptions): FileWatch {
  const watchers = new Map<string, FSWatcher>();
  const changed = new Set<string>();
  let cancel: (() => void) | undefined;

  const report = (): void => {
    const all = new Set(changed);
    changed.clear();
    onChange(all);
  };
  const onEvent = (folder: string, name: string | null): void => {
    const path = name === null ? undefined : join(folder, name);
    const known = [...files()].filter((file) => (path === undefined ? dirname(file) === folder : file === path));
    if (known.length === 0) return;
    for (const file of known) changed.add(file);
    cancel?.();
    cancel = clock.after(debounce, report);
  };
  const watchFolder = (folder: string): void => {
    try {
      const watcher = watch(folder, (_event, name) => onEvent(folder, name));
      watcher.on('error', () => watcher.close());
      watchers.set(folder, watcher);
    } catch {
      // The folder of a missing import may not exist.
    }
  };
  const refresh = (): void => {
    for (const folder of new Set([...files()].map(dirname))) if (!watchers.has(folder)) watchFolder(folder);
  };

  refresh();
  return {
    refresh,
    [Symbol.dispose]() {
      cancel?.();
      for (const watcher of watchers.values()) watcher.close();
    },
  };
}
