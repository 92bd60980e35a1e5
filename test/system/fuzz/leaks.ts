/** Counts resources that may leak. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const kinds: ReadonlySet<string> = new Set(['TLSWrap', 'TCPSocketWrap', 'TCPServerWrap']);

/** Number of open sockets of this process. */
export const openSockets = (): number => process.getActiveResourcesInfo().filter((kind) => kinds.has(kind)).length;

/** Bytes in use after garbage collection. */
export function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}
