import { parentPort } from 'node:worker_threads';
import { liveMany } from '../lives/lives.ts';
import { createArena } from '../processes/arena.ts';
import { livesOf, type Share } from './shares.ts';

const arena = await createArena();
let before: Promise<void> = Promise.resolve();

parentPort?.on('message', (share: Share) => {
  before = before.then(async () => {
    parentPort?.postMessage(await liveMany(livesOf(arena, share)));
  });
});
