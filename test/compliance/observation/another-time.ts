import { byIntegration } from './own-timers.ts';

/** ms by which the system's clock is ahead on another day: another month as well. */
const ahead = 40 * 86_400_000;

/** Runs `act` with the system's clock forty days ahead for functions of an integration, and for nothing else. Not for two at once. */
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
