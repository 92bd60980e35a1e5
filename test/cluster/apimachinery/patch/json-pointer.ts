/** Reads JSON pointers (RFC 6901). */

import { unprocessable } from '../status.ts';

const unescaped = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~');

/**
 * Returns the member names of a JSON pointer; the empty pointer is the whole document. As on the server, text before
 * the first slash is ignored. Throws the server's 422.
 */
export function segmentsOf(pointer: unknown): string[] {
  if (pointer === '') return [];
  if (typeof pointer !== 'string' || !pointer.includes('/')) throw unprocessable();
  return pointer.split('/').slice(1).map(unescaped);
}
