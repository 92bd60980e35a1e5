import test from 'ava';
import { createArena } from './arena.ts';
import { live } from './life.ts';
import { lifeOf } from './lives.ts';
import { theResources } from './protocol.ts';
import { randomOf } from './random.ts';

const traceOf = async (arena: Awaited<ReturnType<typeof createArena>>, number: number, seed = 1): Promise<string> => {
  const { trace } = await live(lifeOf({ arena, seed, identity: 'tag', lives: 1, protocol: theResources() }, number));
  return trace.join('\n');
};

test('the same seed gives the same life, byte for byte, whatever was lived before it', async (t) => {
  const arena = await createArena();
  const [first, second] = [await traceOf(arena, 7), await traceOf(arena, 8)];
  t.true(first.split('\n').length > 20);
  t.is(await traceOf(arena, 7), first);
  t.is(await traceOf(await createArena(), 8), second);
  t.not(first, second);
  t.not(await traceOf(arena, 7, 2), first);
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
