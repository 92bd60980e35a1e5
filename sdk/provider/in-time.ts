import { withDeadline } from '../deadline.ts';
import type { ProviderHost } from './host.ts';

/** Lets `look` work until the host stops, and for a lease at most: a look that gets no answer must hold up nothing for ever. @throws what `look` makes of its signal */
export const inTime = <T>(
  { clock, stopping, times }: Pick<ProviderHost, 'clock' | 'stopping' | 'times'>,
  look: (signal: AbortSignal) => Promise<T>,
): Promise<T> => withDeadline({ clock, deadline: times.lease, signal: stopping }, look);
