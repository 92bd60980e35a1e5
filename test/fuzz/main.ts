import { parseArgs } from 'node:util';
import { fuzz } from './fuzz.ts';
import { besiege } from './sockets.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string' } } });
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
const duration = Number(values.seconds) * 1000;

process.on('unhandledRejection', (error) => {
  console.error('unhandled rejection:', error);
  process.exit(1);
});
console.log(`seed ${seed}`);
const rounds = await fuzz({ seed, duration: duration * 0.8 });
const { connections, watches } = await besiege({ seed, duration: duration * 0.2 });
console.log(
  `${rounds} rounds in process, ${connections} bad connections, ${watches} broken watches: every answer was right`,
);
