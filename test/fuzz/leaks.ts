import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const kinds: ReadonlySet<string> = new Set(['TLSWrap', 'TCPSocketWrap', 'TCPServerWrap']);

/** How many sockets this process has open. */
export const openSockets = (): number => process.getActiveResourcesInfo().filter((kind) => kinds.has(kind)).length;

/** Bytes in use when everything that nobody needs is gone. */
export function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}
