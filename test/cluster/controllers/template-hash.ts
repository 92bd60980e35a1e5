import { canonicalJson } from '../../../sdk/api/digest.ts';

const letters = 'bcdfghjklmnpqrstvwxz2456789';

/** FNV-1a, 32 bits, of a text. */
function fnv(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

/**
 * A short hash of a pod template (or anything else), as it stands in names and labels; another `collisionCount` gives another one.
 * Repeatable, but not the one that upstream computes of its Go structs.
 */
export function templateHash(template: object, collisionCount = 0): string {
  const number = fnv(canonicalJson(template) + (collisionCount > 0 ? String(collisionCount) : ''));
  return [...String(number)].map((digit) => letters[digit.charCodeAt(0) % letters.length]).join('');
}
