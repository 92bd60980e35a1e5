/** Watches the Lease of an election. */

import type { Logger } from 'pino';
import { Lease } from '../../api/kinds.ts';
import type { ObjectKey } from '../../api/object.ts';
import type { Client } from '../../client/client.ts';
import type { Clock } from '../../clock.ts';
import { ForbiddenError } from '../../errors.ts';
import { messageOf } from '../../thrown.ts';

/** Options of {@link followLease}. */
export interface FollowLeaseOptions {
  readonly client: Pick<Client, 'watch'>;
  readonly lease: ObjectKey;
  readonly clock: Clock;
  /** ms between two watches. */
  readonly retryInterval: number;
  readonly signal: AbortSignal;
  /** Receives each state of the Lease; undefined when it was deleted. */
  readonly onChange: (lease: Lease | undefined) => void;
  readonly logger?: Logger | undefined;
}

/** Watches one Lease until the watch ends. */
async function watchOnce({ client, lease, signal, onChange }: FollowLeaseOptions): Promise<void> {
  const { namespace, name } = lease;
  const selection = { fields: `metadata.name=${name}`, ...(namespace !== undefined && { namespace }) };
  for await (const event of client.watch(Lease, { ...selection, signal }))
    if (event.type !== 'BOOKMARK' && !signal.aborted) onChange(event.type === 'DELETED' ? undefined : event.object);
}

/** Watches one Lease until the signal aborts or the server forbids it. Never throws. */
export async function followLease(options: FollowLeaseOptions): Promise<void> {
  const { clock, retryInterval, signal, logger } = options;
  while (!signal.aborted) {
    try {
      await watchOnce(options);
    } catch (error) {
      logger?.debug({ reason: messageOf(error) }, 'the lease cannot be watched, polling it');
      if (error instanceof ForbiddenError) return;
    }
    await clock.sleep(retryInterval, signal).catch(() => undefined);
  }
}
