import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import test from 'ava';
import { createScratch, startProcess } from './owned-process.ts';
import { until } from './until.ts';

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('a process tells how it ended, and its last words', async (t) => {
  const scratch = createScratch('owned-process');
  t.teardown(() => scratch.remove());
  const { folder } = scratch;
  const child = await startProcess({
    name: 'failing',
    command: '/bin/sh',
    args: ['-c', 'echo no luck >&2; exit 3'],
    folder,
  });
  await until(async () => child.ending, { message: () => 'it does not end' });
  t.is(child.ending, 'exited with 3');
  t.is(child.lastWords(), 'no luck\n');
  t.is(child.cpuMs(), 0);
  await t.notThrowsAsync(child.kill());
});

test('a program that is not there is named in the error', async (t) => {
  const scratch = createScratch('owned-process');
  t.teardown(() => scratch.remove());
  const absent = { name: 'absent', command: '/no/such/program', args: [], folder: scratch.folder };
  await t.throwsAsync(startProcess(absent), { message: '/no/such/program does not start' });
});

test('a killed parent leaves neither processes nor files behind', async (t) => {
  const script = `
    const { createScratch, startProcess } = await import(${JSON.stringify(import.meta.resolve('./owned-process.ts'))});
    const { folder } = createScratch('owned-process');
    const child = await startProcess({ name: 'sleep', command: '/bin/sleep', args: ['600'], folder });
    console.log(JSON.stringify({ folder, pid: child.pid }));
    setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(parent.stdout, 'data');
  const { folder, pid } = JSON.parse(String(line)) as { folder: string; pid: number };
  t.true(isRunning(pid) && existsSync(folder));

  parent.kill('SIGKILL');
  await until(async () => (!isRunning(pid) && !existsSync(folder)) || undefined, {
    message: () => `${pid}, ${folder} stay`,
  });
  t.pass();
});
