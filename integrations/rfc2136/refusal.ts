/** Explains refusals of a name server. */

import { DefiniteError } from '../../sdk/index.ts';
import type { Tsig } from './tsig.ts';
import { rcode, rcodeName } from './wire.ts';

/** Request that was refused, for messages. */
export interface UpdateTarget {
  /** `host:port` */
  readonly server: string;
  readonly zone: string;
  readonly keyName: string;
  /** Allowed clock skew in seconds. */
  readonly fudge: number;
}

/** Refusal that does not depend on the published records. */
export interface Refused {
  readonly code: number;
  readonly tsig: Tsig | undefined;
}

/** Response codes of refusals without any effect. */
const refusals: ReadonlySet<number> = new Set([
  rcode.FORMERR,
  rcode.NOTIMP,
  rcode.REFUSED,
  rcode.NOTAUTH,
  rcode.NOTZONE,
]);

/** Reports whether a response code is a refusal without effect, due to configuration. */
export const isRefusalCode = (code: number): boolean => refusals.has(code);

function clocks({ tsig }: Refused): string {
  const theirs = tsig?.other.length === 6 ? tsig.other.readUIntBE(0, 6) : undefined;
  return theirs === undefined || tsig === undefined ? '' : ` by ${Math.abs(theirs - tsig.time)} s`;
}

function signatureRefused(refused: Refused, { keyName, fudge }: UpdateTarget): string | undefined {
  if (refused.tsig?.error === rcode.BADKEY)
    return `it does not know the key ${keyName}: check key.name and key.algorithm, and its own key statement`;
  if (refused.tsig?.error === rcode.BADSIG || refused.tsig?.error === rcode.BADTRUNC)
    return `the signature by ${keyName} does not hold: check key.secret and key.algorithm`;
  if (refused.tsig?.error === rcode.BADTIME)
    return `the two clocks differ${clocks(refused)}, more than the fudge of ${fudge} s allows: synchronize them`;
  return undefined;
}

function why({ code }: Refused, { zone, keyName }: UpdateTarget): string {
  if (code === rcode.NOTAUTH)
    return `it is not the primary of the zone ${zone}, or the key ${keyName} has no rights there: check the zone and its update policy`;
  if (code === rcode.REFUSED)
    return `the key ${keyName} may not update the zone ${zone}: check the zone's update policy or acl`;
  if (code === rcode.NOTZONE) return `a name is not within the zone ${zone}: check option zone`;
  if (code === rcode.NOTIMP) return 'it does not do dynamic updates';
  return 'it does not understand the request';
}

/** Returns the error for a refusal, with advice on what to check. */
export function refusalError(refused: Refused, target: UpdateTarget): DefiniteError {
  const { tsig, code } = refused;
  const name = tsig !== undefined && tsig.error !== 0 ? `${rcodeName(code)}/${rcodeName(tsig.error)}` : rcodeName(code);
  return new DefiniteError(
    `name server ${target.server}: ${name}: ${signatureRefused(refused, target) ?? why(refused, target)}`,
  );
}
