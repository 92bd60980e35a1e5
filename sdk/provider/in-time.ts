import type { ProviderHost } from './host.ts';

/** Lets `look` work until the host stops, and for a lease at most: a look that gets no answer must hold up nothing for ever. @throws what `look` makes of its signal */
export async function inTime<T>(
  { clock, stopping, times }: Pick<ProviderHost, 'clock' | 'stopping' | 'times'>,
  look: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const cancel = clock.after(times.lease, () => late.abort(new Error(`no answer within ${times.lease} ms`)));
  try {
    return await look(AbortSignal.any([stopping, late.signal]));
  } finally {
    cancel();
  }
}
