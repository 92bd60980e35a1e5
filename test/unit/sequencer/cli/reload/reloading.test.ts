import { realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { systemClock, UserError } from '../../../../../sdk/index.ts';
import { reloadOnChange } from '../../../../../sequencer/cli/reload/reloading.ts';
import { aFolder } from '../../../a-folder.ts';

test('a change is loaded and taken; what does not load is reported, and the next change is tried', async (t) => {
  const folder = await realpath(await aFolder(t, { 'a.ts': '1' }));
  const path = join(folder, 'a.ts');
  const lines: string[] = [];
  let next = Promise.withResolvers<void>();
  let broken = true;
  const taken: unknown[] = [];
  const config = { integrations: [], runnables: [], tenantIntegrations: {} };
  const reloading = reloadOnChange({
    modules: {
      files: new Set([path]),
      change: () => true,
      async load() {
        if (broken) throw new UserError('E#2011', 'it does not load', { hint: 'fix it' });
        return config;
      },
      [Symbol.dispose]() {},
    },
    clock: systemClock,
    onReload: async (next) => void taken.push(next),
    say(...more) {
      lines.push(...more);
      next.resolve();
    },
  });
  await writeFile(path, '2');
  await next.promise;
  t.deepEqual(lines.slice(0, 2), ['error E#2011: it does not load', '  fix it']);
  t.regex(lines[2]!, /^not reloaded: .*a\.ts; the previous code keeps running$/);
  t.deepEqual(taken, []);
  broken = false;
  next = Promise.withResolvers();
  await writeFile(path, '3');
  await next.promise;
  t.regex(lines.at(-1)!, /^reloaded {4}.*a\.ts$/);
  t.deepEqual(taken, [config]);
  reloading[Symbol.dispose]();
});
