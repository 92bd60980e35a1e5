/**
 * Makes a signal check the clock whenever it is read. After a pause of the process, a response may be delivered before the timer that would have
 * aborted the signal fires; the next request of the task, sent in the same turn of the event loop, is then stopped by the signal.
 * Read `aborted` before the signal is passed to `AbortSignal.any`, as `withDeadline` does: not all runtimes read it then.
 * @param look aborts the signal's controller if the time is up
 * @returns the same signal
 */
export function clockCheckedSignal(signal: AbortSignal, look: () => void): AbortSignal {
  let looks = false;
  /** Calls `look`, except from within `look`: Deno reads a signal when it aborts it. */
  const check = (): void => {
    if (looks) return;
    looks = true;
    try {
      look();
    } finally {
      looks = false;
    }
  };
  return Object.defineProperties(signal, {
    aborted: {
      get: () => {
        check();
        return Reflect.get(AbortSignal.prototype, 'aborted', signal);
      },
    },
    throwIfAborted: {
      value: () => {
        check();
        AbortSignal.prototype.throwIfAborted.call(signal);
      },
    },
  });
}
