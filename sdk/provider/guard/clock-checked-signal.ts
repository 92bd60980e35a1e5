/**
 * Makes a signal check the clock whenever it is read. After a pause of the process, a response may be delivered before the timer that would have
 * aborted the signal fires; the next request of the task, sent in the same turn of the event loop, is then stopped by the signal.
 * @param look aborts the signal's controller if the time is up
 * @returns the same signal
 */
export const clockCheckedSignal = (signal: AbortSignal, look: () => void): AbortSignal =>
  Object.defineProperties(signal, {
    aborted: {
      get: () => {
        look();
        return Reflect.get(AbortSignal.prototype, 'aborted', signal);
      },
    },
    throwIfAborted: {
      value: () => {
        look();
        AbortSignal.prototype.throwIfAborted.call(signal);
      },
    },
  });
