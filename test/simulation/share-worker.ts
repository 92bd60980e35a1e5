import { parentPort } from 'node:worker_threads';
import { createArena } from './arena.ts';
import { liveMany } from './lives.ts';
import { protocolNamed } from './options.ts';
import type { Share } from './shares.ts';

const arena = await createArena();
let before: Promise<void> = Promise.resolve();

parentPort?.on('message', (share: Share) => {
  before = before.then(async () => {
    const { protocol, ...lives } = share;
    parentPort?.postMessage(await liveMany({ arena, ...lives, protocol: protocolNamed(protocol) }));
  });
});
