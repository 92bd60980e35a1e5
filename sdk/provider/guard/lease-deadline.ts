/** Bounds calls by the lease. */

import { aborted } from '../../aborted.ts';
import { withDeadline } from '../../deadline.ts';
import type { GuardTimes, ProviderHost } from '../host/host.ts';

/**
 * Runs `look` until the host stops, and for one lease at most; a look without a response blocks nothing, even if it ignores its signal.
 * @param what names the look in the error, such as `box a: observe`
 * @throws the signal's reason, or the error of `look`
 */
export const withinLease = <T>(
  { clock, stopping, times }: Pick<ProviderHost, 'clock' | 'stopping'> & { readonly times: Pick<GuardTimes, 'lease'> },
  what: string,
  look: (signal: AbortSignal) => Promise<T>,
): Promise<T> =>
  withDeadline({ clock, deadline: times.lease, signal: stopping, what }, (signal) =>
    Promise.race([
      look(signal),
      aborted(signal).then(() => {
        throw signal.reason;
      }),
    ]),
  );
