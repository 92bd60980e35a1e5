/** Proof of DNS names by dns-01: TXT records that the registered DNS integration publishes. */

import type { NameChallenge } from './authority.ts';
import { type PublishedDns, withChallenges } from './challenge-records.ts';
import type { NameProof } from './proof.ts';

/** Returns the proof by the challenge `dns-01`. */
export const dnsProof = ({ claimOf, texts }: PublishedDns): NameProof => ({
  type: 'dns-01',
  claimOf,
  async show(controller, challenges) {
    const dns = withChallenges(controller.workspace.status?.dns ?? [], challenges);
    if (dns === undefined) return;
    await controller.update((status) => {
      if (dns.length === 0) delete status.dns;
      else status.dns = [...dns];
    });
  },
  async missing({ signal }, challenges: readonly NameChallenge[]) {
    for (const { name, text } of challenges) {
      const words = `waiting until name servers show the TXT record of ${name}`;
      const found = await texts(name, signal).catch((error: Error) => error);
      if (found instanceof Error) return `${words}, which cannot be looked up: ${found.message}`;
      if (!found.includes(text)) return words;
    }
    return undefined;
  },
});
