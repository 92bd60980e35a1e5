import { aborted } from '../aborted.ts';
import { withDeadline } from '../deadline.ts';
import type { GuardTimes, ProviderHost } from './host.ts';

/**
 * Lets `look` work until the host stops, and for a lease at most: a look that gets no answer holds up nothing, even if it ignores its signal.
 * @throws the signal's reason, or what `look` makes of it
 */
export const inTime = <T>(
  { clock, stopping, times }: Pick<ProviderHost, 'clock' | 'stopping'> & { readonly times: Pick<GuardTimes, 'lease'> },
  look: (signal: AbortSignal) => Promise<T>,
): Promise<T> =>
  withDeadline({ clock, deadline: times.lease, signal: stopping }, (signal) =>
    Promise.race([
      look(signal),
      aborted(signal).then(() => {
        throw signal.reason;
      }),
    ]),
  );
