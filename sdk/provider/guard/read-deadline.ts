/** Deadline of reads from a third party outside of an attempt. */

import { aborted } from '../../aborted.ts';
import { withDeadline } from '../../deadline.ts';
import type { GuardTimes, ProviderHost } from '../host/host.ts';

/**
 * Runs a read for at most the time of one lease, or until the host stops; a read that ignores its signal is abandoned.
 * @param what names the read in the error, such as `box a: observe`
 * @throws the signal's reason, or the error of `look`
 */
export const withReadDeadline = <T>(
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
