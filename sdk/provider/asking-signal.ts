/**
 * Lets a signal look at the clock whenever it is asked. After a pause of the process an answer may be handed on before the timer fires that would
 * have aborted it, and what a task sends next is sent in that very turn: whoever passes the signal to every request, or asks it before, is stopped.
 * @param look aborts the signal's controller if time is up
 * @returns the same signal
 */
export const askingSignal = (signal: AbortSignal, look: () => void): AbortSignal =>
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
