/** Applies changes at DNS servers without compare-and-set: each name by one caller at a time. */

import { DefiniteError, KeyedMutex } from '../../sdk/index.ts';
import { zoneRefusal } from './allowed-names.ts';
import type { ChangeContext, DnsBackend } from './backend.ts';
import type { DnsChange } from './records.ts';

/** Changes of one name at a server. Each reads the owner of the name before it writes. */
export interface NameChanges {
  publish(change: DnsChange, context: ChangeContext): Promise<void>;
  /** @returns a remark for the condition's reason, if any */
  remove(change: DnsChange, context: ChangeContext): Promise<string | undefined>;
}

/**
 * Applies changes at a server without compare-and-set: within this process each name is changed by one at a time, and names outside of `zone` are
 * refused before anything is sent. @param zone the only zone; undefined: any
 */
export function exclusiveChanges(
  zone: string | undefined,
  { publish, remove }: NameChanges,
): Pick<DnsBackend, 'apply'> & Required<Pick<DnsBackend, 'refuses'>> {
  const mutex = new KeyedMutex();
  return {
    refuses: (place) => zoneRefusal(place, zone),
    async apply(change, context) {
      const refusal = zoneRefusal(change, zone);
      if (refusal !== undefined) throw new DefiniteError(refusal);
      return mutex.runExclusive(change.name, async () => {
        context.signal.throwIfAborted();
        if (change.op === 'delete') return remove(change, context);
        await publish(change, context);
        return undefined;
      });
    },
  };
}
