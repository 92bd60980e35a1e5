import { parseArgs } from 'node:util';
import { fuzz } from './fuzz.ts';
import { heapInUse } from './leaks.ts';
import { fuzzSockets } from './sockets.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string' } } });
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
const duration = Number(values.seconds) * 1000;
const megabyte = 1024 * 1024;
/** Tolerated heap growth: the cluster keeps nothing of its requests, but V8's heap size varies. */
const maxGrowth = 48 * megabyte;

process.on('unhandledRejection', (error) => {
  console.error('unhandled rejection:', error);
  process.exit(1);
});
console.log(`seed ${seed}`);
const first = await fuzz({ seed, duration: duration * 0.2 });
const before = heapInUse();
const rounds = first + (await fuzz({ seed: seed + 1, duration: duration * 0.6 }));
const grown = heapInUse() - before;
if (grown > maxGrowth) throw new Error(`the heap has grown by ${Math.round(grown / megabyte)} MB (seed ${seed})`);
const { connections, watches } = await fuzzSockets({ seed, duration: duration * 0.2 });
console.log(
  `${rounds} rounds in process (heap: ${(grown / megabyte).toFixed(1)} MB more), ${connections} bad connections with ${watches} watches: every answer was right, nothing stayed open`,
);
