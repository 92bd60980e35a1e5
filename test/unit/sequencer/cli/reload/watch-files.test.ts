import { mkdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { systemClock } from '../../../../../sdk/index.ts';
import { watchFiles } from '../../../../../sequencer/cli/reload/watch-files.ts';
import { aFolder } from '../../../a-folder.ts';

/** A watch of files in a folder; `next` resolves with the names of the next changes that are reported. */
async function aWatch(t: ExecutionContext, names: string[]) {
  const folder = await realpath(await aFolder(t, { 'a.ts': '1', 'b.ts': '1', 'c.ts': '1' }));
  let told = Promise.withResolvers<readonly string[]>();
  const watch = watchFiles({
    files: () => names.map((name) => join(folder, name)),
    clock: systemClock,
    onChange: (changed) => told.resolve([...changed].map((path) => basename(path)).sort()),
  });
  t.teardown(() => watch[Symbol.dispose]());
  const next = async () => {
    const names = await told.promise;
    told = Promise.withResolvers();
    return names;
  };
  return { folder, watch, next };
}

test('a file that is written, or put in place of another, is reported', async (t) => {
  const { folder, next } = await aWatch(t, ['a.ts', 'b.ts']);
  await writeFile(join(folder, 'c.ts'), 'not watched');
  await writeFile(join(folder, 'a.ts'), '2');
  t.deepEqual(await next(), ['a.ts']);
  await writeFile(join(folder, 'b.ts.tmp'), '2');
  await rename(join(folder, 'b.ts.tmp'), join(folder, 'b.ts'));
  t.deepEqual(await next(), ['b.ts']);
});

test('changes that come together are reported together', async (t) => {
  const { folder, next } = await aWatch(t, ['a.ts', 'b.ts']);
  await Promise.all(['a.ts', 'b.ts'].map((name) => writeFile(join(folder, name), '2')));
  t.deepEqual(await next(), ['a.ts', 'b.ts']);
});

test('a file that came since is watched after a refresh, also in a folder that was missing', async (t) => {
  const names = ['a.ts'];
  const { folder, watch, next } = await aWatch(t, names);
  names.push('c.ts', 'none/d.ts');
  watch.refresh();
  await writeFile(join(folder, 'c.ts'), '2');
  t.deepEqual(await next(), ['c.ts']);
});

test('a folder that was deleted and made again is watched again, and what is in it then counts as changed', async (t) => {
  const names = ['src/lib/a.ts', 'b.ts'];
  const folder = await realpath(await aFolder(t, { 'src/lib/a.ts': '1', 'b.ts': '1' }));
  const reports: string[] = [];
  let told = Promise.withResolvers<void>();
  const watch = watchFiles({
    files: () => names.map((name) => join(folder, name)),
    clock: systemClock,
    onChange: (changed) => {
      reports.push([...changed].map((path) => basename(path)).join());
      told.resolve();
    },
  });
  t.teardown(() => watch[Symbol.dispose]());
  const next = async () => {
    await told.promise;
    told = Promise.withResolvers();
    return reports.splice(0).at(-1);
  };
  for (const text of ['2', '3']) {
    await rm(join(folder, 'src'), { recursive: true });
    t.is(await next(), 'a.ts', 'it is gone');
    await mkdir(join(folder, 'src/lib'), { recursive: true });
    await writeFile(join(folder, 'src/lib/a.ts'), text);
    t.is(await next(), 'a.ts', 'it is back');
    await writeFile(join(folder, 'src/lib/a.ts'), `${text}, changed`);
    t.is(await next(), 'a.ts', 'it is watched');
  }
});
