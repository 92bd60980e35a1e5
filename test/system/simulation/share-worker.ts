import { parentPort } from 'node:worker_threads';
import { createArena } from './arena.ts';
import { liveMany } from './lives.ts';
import { livesOf, type Share } from './shares.ts';

const arena = await createArena();
let before: Promise<void> = Promise.resolve();

parentPort?.on('message', (share: Share) => {
  before = before.then(async () => {
    parentPort?.postMessage(await liveMany(livesOf(arena, share)));
  });
});
