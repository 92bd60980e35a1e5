/** Hot reload of a config and its plug-ins. */

import { relative } from 'node:path';
import type { Clock } from '../../../sdk/index.ts';
import type { Config } from '../args/config.ts';
import { reportOf } from '../output/report.ts';
import type { ConfigModules } from './config-modules.ts';
import { watchFiles } from './watch-files.ts';

/** Options of {@link reloadOnChange}. */
export interface ReloadOptions {
  readonly modules: ConfigModules;
  readonly clock: Clock;
  /** Called with each reloaded config. */
  readonly onReload: (config: Config) => Promise<void>;
  /** Prints lines for the user. */
  readonly say: (...lines: readonly string[]) => void;
}

/** Reloads a config after changes of its files, one reload at a time, until disposed. If a reload fails, the previous code keeps running. */
export function reloadOnChange({ modules, clock, onReload, say }: ReloadOptions): Disposable {
  let last = Promise.resolve();
  const reload = async (changed: ReadonlySet<string>): Promise<void> => {
    if (!modules.change(changed)) return;
    const names = [...changed].map((path) => relative(process.cwd(), path)).join(', ');
    try {
      await onReload(await modules.load());
      say(`reloaded    ${names}`);
    } catch (error) {
      say(...reportOf(error, false), `not reloaded: ${names}; the previous code keeps running`);
    } finally {
      watch.refresh();
    }
  };
  const watch = watchFiles({
    files: () => modules.files,
    clock,
    onChange(changed) {
      last = last.then(() => reload(changed));
    },
  });
  return watch;
}
