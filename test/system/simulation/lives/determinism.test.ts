import test from 'ava';
import { type Arena, createArena } from '../processes/arena.ts';
import { randomOf } from '../processes/random.ts';
import { type Protocol, theResources, theSequencer } from '../protocols/protocol.ts';
import { live } from './life.ts';
import { lifeOf } from './lives.ts';

type Told = readonly [number: number, seed?: number];

/** Tokens begin at the version of the workspace, which the cluster counts through all lives. */
const tokens = /\b(none|intent|done|failed|unknown|gone) \d+/g;

const traceOf = async (arena: Arena, protocol: Protocol, [number, seed = 1]: Told): Promise<string> => {
  const { trace } = await live(lifeOf({ arena, seed, identity: 'tag', lives: 1, protocol }, number));
  return trace.join('\n').replace(tokens, '$1');
};

for (const protocol of [theResources(), theSequencer()])
  test(`${protocol.name}: the same seed gives the same life, byte for byte, whatever was lived before it`, async (t) => {
    const arena = await createArena();
    const [first, second] = [await traceOf(arena, protocol, [7]), await traceOf(arena, protocol, [8])];
    t.true(first.split('\n').length > 20);
    t.is(await traceOf(arena, protocol, [7]), first);
    t.is(await traceOf(await createArena(), protocol, [8]), second);
    t.not(first, second);
    t.not(await traceOf(arena, protocol, [7, 2]), first);
  });

test('a stream of chance is repeatable, and not moved by another', (t) => {
  const numbers = (name: string) => {
    const random = randomOf(name);
    return Array.from({ length: 5 }, () => random.next());
  };
  t.deepEqual(numbers('a'), numbers('a'));
  t.notDeepEqual(numbers('a'), numbers('b'));
  const random = randomOf('a');
  random.fork('b').next();
  t.is(random.next(), numbers('a')[0] ?? Number.NaN);
  t.true(numbers('a').every((number) => number >= 0 && number < 1));
});
