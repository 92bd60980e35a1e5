import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the range that Linux, macOS and Windows take outgoing ports from, so that no client steals one meanwhile. */
const lowest = 20_000;
const highest = 29_999;
const mostTries = 100;

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen({ port, host: '127.0.0.1', exclusive: true });
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

/** Finds that many different TCP ports that nobody listens on at the loopback address; random, so that callers rarely meet. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const found = new Set<number>();
  for (let tries = 0; tries < mostTries && found.size < count; tries += 1) {
    const port = randomInt(lowest, highest + 1);
    if (await isFree(port)) found.add(port);
  }
  if (found.size < count) throw new Error(`no ${count} free ports between ${lowest} and ${highest}`);
  return [...found];
}
