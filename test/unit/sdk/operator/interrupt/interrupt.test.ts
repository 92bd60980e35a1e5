import { EventEmitter } from 'node:events';
import test from 'ava';
import { createInterrupt } from '../../../../../sdk/operator/interrupt/interrupt.ts';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';

function anInterrupt() {
  const source = new EventEmitter();
  const clock = createManualClock();
  let exits = 0;
  const exit = () => {
    exits += 1;
  };
  return { source, clock, interrupt: createInterrupt({ source, clock, exit }), exits: () => exits };
}

test('the first signal asks politely, the second exits at once', async (t) => {
  const { source, clock, interrupt, exits } = anInterrupt();
  t.false(interrupt.signal.aborted);
  source.emit('SIGINT');
  t.true(interrupt.signal.aborted);
  await clock.advance(1000);
  t.is(exits(), 0);
  source.emit('SIGTERM');
  t.is(exits(), 1);
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  test(`${signal} asks to stop`, (t) => {
    const { source, interrupt } = anInterrupt();
    source.emit(signal);
    t.true(interrupt.signal.aborted);
  });

test('one key press that arrives twice, from the terminal and from npm, counts once', async (t) => {
  const { source, clock, exits } = anInterrupt();
  source.emit('SIGINT');
  await clock.advance(20);
  source.emit('SIGINT');
  t.is(exits(), 0);
});

test('once disposed, signals have no listener', (t) => {
  const { source, interrupt } = anInterrupt();
  interrupt[Symbol.dispose]();
  t.is(source.eventNames().length, 0);
});
