/** Hash of a pod template, for names and labels. */

import { canonicalJson } from '../../../sdk/api/digest.ts';

const letters = 'bcdfghjklmnpqrstvwxz2456789';

/** 32-bit FNV-1a hash of a text. */
function fnv(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

/**
 * Hashes a pod template, or any object, for use in names and labels; `collisionCount` varies the result.
 * Deterministic, but different from upstream's hash of the Go struct.
 */
export function templateHash(template: object, collisionCount = 0): string {
  const number = fnv(canonicalJson(template) + (collisionCount > 0 ? String(collisionCount) : ''));
  return [...String(number)].map((digit) => letters[digit.charCodeAt(0) % letters.length]).join('');
}
