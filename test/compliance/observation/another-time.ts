/** Runs parts of a scenario on another day, in another time zone or on another host. */

import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';

import { byIntegration } from './tracked-timers.ts';

/** Time by which the system's clock is ahead on another day, in ms; longer than a month. */
const ahead = 40 * 86_400_000;

/** Runs `act` with the system's clock forty days ahead for functions of an integration only. Must not run twice at the same time. */
export async function onAnotherDay<T>(act: () => Promise<T>): Promise<T> {
  const { Date: RealDate } = globalThis;
  const now = (): number => RealDate.now() + (byIntegration() === undefined ? 0 : ahead);
  globalThis.Date = class extends RealDate {
    constructor(...args: readonly unknown[]) {
      super(...((args.length === 0 ? [now()] : args) as [number]));
    }
    static override now = now;
  } as DateConstructor;
  try {
    return await act();
  } finally {
    globalThis.Date = RealDate;
  }
}

/** Time by which another time zone is ahead, in ms. */
const zoneAhead = 11.5 * 3_600_000;

/** Functions of dates that return the time in the zone of the machine; those of a locale take another zone by their options. */
const local = ['getFullYear', 'getMonth', 'getDate', 'getDay', 'getHours', 'getMinutes', 'toString', 'toDateString'];
const ofLocale = ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'];

type DateFunction = (this: Date, ...args: readonly unknown[]) => unknown;

const hasZone = ([, options]: readonly unknown[]): boolean =>
  (options as { readonly timeZone?: unknown } | undefined)?.timeZone !== undefined;

/** Runs `act` in another time zone for functions of an integration only. Must not run twice at the same time. */
export async function inAnotherTimeZone<T>(act: () => Promise<T>): Promise<T> {
  const prototype = Date.prototype as unknown as Record<string, DateFunction>;
  const before = new Map([...local, ...ofLocale].map((name) => [name, prototype[name]!]));
  for (const [name, original] of before)
    prototype[name] = function (...args) {
      const isMoved = byIntegration() !== undefined && !(ofLocale.includes(name) && hasZone(args));
      return Reflect.apply(original, isMoved ? new Date(this.getTime() + zoneAhead) : this, args);
    };
  try {
    return await act();
  } finally {
    for (const [name, original] of before) prototype[name] = original;
  }
}

const otherHost = { name: 'another-host', pid: 424_242 };

/** Runs `act` with another name of the host and another id of the process, as after a restart of the pod. Must not run twice at the same time. */
export async function onAnotherHost<T>(act: () => Promise<T>): Promise<T> {
  const { hostname } = os;
  const { pid } = process;
  const { HOSTNAME } = process.env;
  const put = (name: typeof hostname, id: number, variable: string | undefined): void => {
    os.hostname = name;
    syncBuiltinESMExports();
    Reflect.defineProperty(process, 'pid', { value: id, configurable: true, enumerable: true, writable: true }); // Deno has its own
    if (variable === undefined) delete process.env.HOSTNAME;
    else process.env.HOSTNAME = variable;
  };
  put(() => otherHost.name, otherHost.pid, otherHost.name);
  try {
    return await act();
  } finally {
    put(hostname, pid, HOSTNAME);
  }
}
