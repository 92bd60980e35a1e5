import { setImmediate as turn } from 'node:timers/promises';
import test from 'ava';
import { ConfigMap, Secret } from '../../../../../sdk/api/kinds.ts';
import { PatchQueue } from '../../../../../sdk/client/cache/patch-queue.ts';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';

const a = { namespace: 'default', name: 'a' };

function setUp() {
  const clock = createManualClock();
  const seen: (() => void)[] = [];
  const untilSeen = () => new Promise<void>((resolve) => seen.push(resolve));
  const turns = new PatchQueue(clock, { untilSeen });
  const sent: string[] = [];
  const answers: (() => void)[] = [];
  const send = (name: string, kind: typeof ConfigMap | typeof Secret = ConfigMap, key = a) =>
    turns.run(kind, key, () => {
      sent.push(name);
      return new Promise<string>((resolve) => answers.push(() => resolve(name)));
    });
  return { clock, seen, sent, answers, send, turns };
}

test('a patch waits for the answer to the one before it, and until the watch has shown that', async (t) => {
  const { sent, answers, seen, send } = setUp();
  const [first, second] = [send('first'), send('second')];
  await turn();
  t.deepEqual(sent, ['first']);
  answers[0]?.();
  t.is(await first, 'first');
  await turn();
  t.deepEqual(sent, ['first']);
  seen[0]?.();
  await turn();
  t.deepEqual(sent, ['first', 'second']);
  answers[1]?.();
  t.is(await second, 'second');
});

test('neither a patch without an answer nor a silent watch keeps one waiting for longer than two seconds', async (t) => {
  const { clock, sent, answers, send } = setUp();
  const all = [send('first'), send('second'), send('third')];
  await turn();
  await clock.advance(1_999);
  await turn();
  t.deepEqual(sent, ['first']);
  await clock.advance(1);
  await turn();
  t.deepEqual(sent, ['first', 'second', 'third']);
  for (const answer of answers) answer();
  t.deepEqual(await Promise.all(all), ['first', 'second', 'third']);
});

test('other objects, and other kinds of that name, wait for nothing', async (t) => {
  const { sent, send } = setUp();
  void send('a');
  void send('b', ConfigMap, { ...a, name: 'b' });
  void send('secret', Secret);
  await turn();
  t.deepEqual(sent, ['a', 'b', 'secret']);
});

test('a patch that fails ends its turn', async (t) => {
  const { sent, seen, send, turns } = setUp();
  const refused = turns.run(ConfigMap, a, () => Promise.reject(new Error('no')));
  await t.throwsAsync(refused, { message: 'no' });
  seen[0]?.();
  await turn();
  void send('next');
  await turn();
  t.deepEqual(sent, ['next']);
});
