import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Lowest port: below the range that Linux, macOS and Windows use for outgoing connections, so that no client takes one meanwhile. */
const lowest = 20_000;
const highest = 29_999;
const maxTries = 100;

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

/** Finds that many different free TCP ports on the loopback address; random, so that concurrent callers rarely collide. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const found = new Set<number>();
  for (let tries = 0; tries < maxTries && found.size < count; tries += 1) {
    const port = randomInt(lowest, highest + 1);
    if (await isFree(port)) found.add(port);
  }
  if (found.size < count) throw new Error(`no ${count} free ports between ${lowest} and ${highest}`);
  return [...found];
}
