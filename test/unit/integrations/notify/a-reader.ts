/** Reader of messages, who believes what they say of environments. */

import type { Thing } from '../../../compliance/index.ts';

/** Message as it came. */
export interface ReadMessage {
  readonly event: string;
  readonly uid: string;
  readonly formerUids?: readonly string[];
  /** Words about the environment, the same in every life. */
  readonly what: string;
}

/**
 * Returns the environments that there are, by all messages in their order. Whatever is told twice, or of one that never came, is one more thing, which
 * ought not to be there.
 */
export function environmentsTold(messages: readonly ReadMessage[]): readonly Thing[] {
  const known = new Map<string, string>();
  const odd: Thing[] = [];
  for (const [index, { event, uid: now, formerUids = [], what }] of messages.entries()) {
    const uid = formerUids.find((former) => known.has(former)) ?? now;
    const before = known.get(uid);
    const isOdd = event === 'came' ? before !== undefined : before === undefined || before === what;
    if (isOdd) odd.push({ id: `message ${index}`, what: `${event} of ${before ?? 'nothing'}: ${what}` });
    else if (event === 'went') known.delete(uid);
    else known.set(uid, what);
  }
  return [...[...known].map(([uid, what]) => ({ id: uid, what })), ...odd];
}
