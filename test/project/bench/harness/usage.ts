/** Reads the CPU time and memory of processes. */

import { readFileSync } from 'node:fs';

/** Resources that a process has used since its start. */
export interface Usage {
  /** User and system time in ms. */
  readonly cpuMs: number;
  readonly rssMb: number;
  readonly peakRssMb: number;
}

/** Milliseconds of one tick in /proc: USER_HZ is 100 on every Linux architecture in use. */
const tick = 10;

const textOf = (pid: number, file: string): string | undefined => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
};

/** MB in a line of /proc status, with kB of 1 024 bytes. */
const megabytes = (status: string, line: string): number =>
  (Number(new RegExp(`^${line}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? Number.NaN) * 1024) / 1e6;

/** Reads the usage of any process, from outside; `undefined` once it is gone, and where there is no /proc. */
export function usageOf(pid: number): Usage | undefined {
  const [stat, status] = [textOf(pid, 'stat'), textOf(pid, 'status')];
  if (stat === undefined || status === undefined) return undefined;
  const fields = stat.split(') ').at(-1)!.split(' ');
  const cpuMs = (Number(fields[11]) + Number(fields[12])) * tick;
  return { cpuMs, rssMb: megabytes(status, 'VmRSS'), peakRssMb: megabytes(status, 'VmHWM') };
}

/** Reads the usage of this process: CPU time to the microsecond. `getrusage`'s peak is not used: it includes the parent's memory before exec. */
export function ownUsage(): Usage {
  const { user, system } = process.cpuUsage();
  const rssMb = process.memoryUsage.rss() / 1e6;
  return { cpuMs: (user + system) / 1000, rssMb, peakRssMb: usageOf(process.pid)?.peakRssMb ?? rssMb };
}
