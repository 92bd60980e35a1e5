import test from 'ava';
import fc from 'fast-check';
import { GiveUpError } from '../../../../../sdk/errors.ts';
import {
  defaultTransition,
  type Graph,
  machine,
  nextState,
  type Position,
  pathOf,
  pathThrough,
  walkGraph,
} from '../../../../../sdk/reconcile/okt/machine.ts';

type Life = 'Run' | 'Servicing' | 'Stopping' | 'End';
const life: Graph<Life> = {
  Run: ['Servicing'],
  Servicing: ['Stopping', 'Run'],
  Stopping: ['Stopping', 'End'],
  End: [],
};

const at = (...states: readonly Life[]): Position<Life> => {
  const { off, set } = machine(life);
  return states.reduce(set, off);
};

test('OKT-14: the first child that an event names is enter, a leaf turns off, and an event is ignored when off', (t) => {
  const { off, enterNext } = machine(life);
  const stopping = enterNext(at('Servicing'), ['Run', 'Stopping']);
  t.is(stopping.state, 'Stopping');
  const still = enterNext(stopping, ['Stopping']);
  t.true(still.isOn, 'a state that leads to itself stays on');
  t.not(still, stopping, 'it was enter');
  const ended = enterNext(still, ['End']);
  t.like(ended, { state: 'End', isOn: false });
  t.is(enterNext(ended, ['Run', defaultTransition]), ended);
  t.is(enterNext(off, ['Run', defaultTransition]), off);
});

test('an event that leads nowhere from here enters nothing; the normal course is the last child', (t) => {
  const { enterNext } = machine(life);
  const servicing = at('Servicing');
  t.is(enterNext(servicing, ['End']), servicing);
  t.is(enterNext(servicing, [defaultTransition]).state, 'Run');
  t.is(enterNext(servicing, [defaultTransition, 'Stopping']).state, 'Stopping');
  t.is(nextState(life, 'Servicing', new Set<Life>()), 'Run');
  t.is(nextState(life, 'Servicing', new Set<Life>(['Stopping'])), 'Stopping');
  t.is(nextState(life, 'End', new Set<Life>(['Run'])), undefined);
});

test('two states that alternate are one segment of the path', (t) => {
  const turns = Array.from({ length: 12 }, () => ['Run', 'Servicing'] as const).flat();
  t.is(pathOf(at(...turns, 'Stopping', 'End')), '>(Run<<>>Servicing)x12>Stopping>End');
  t.is(pathOf(at('Run', 'Servicing', 'Run', 'Stopping')), '>Run>Servicing>Run>Stopping');
  t.is(pathThrough<Life>(['Run', 'Servicing', 'Run', 'Servicing', 'Run']), '>(Run<<>>Servicing)x2>Run');
});

test('a position is plain data: it goes through JSON and on from there', (t) => {
  const { enterNext } = machine(life);
  const kept: Position<Life> = JSON.parse(JSON.stringify(at('Run')));
  t.deepEqual(enterNext(kept, ['Servicing']), enterNext(at('Run'), ['Servicing']));
});

test('a path keeps its last legs, and says that it has dropped some', (t) => {
  const ring: Graph<'a' | 'b' | 'c'> = { a: ['b'], b: ['c'], c: ['a'] };
  const { off, set, enterNext } = machine(ring, { pathLimit: 5 });
  let position = set(off, 'a');
  for (let turn = 0; turn < 6; turn += 1) position = enterNext(position, [defaultTransition]);
  t.is(pathOf(position), '>…>c>a>b>c>a');
});

test('OKT-c10: what makes no sense is refused: a limit out of bounds, a graph that leads out of itself, a state that is none or is there', (t) => {
  for (const pathLimit of [4, 1025, 7.5])
    t.throws(() => machine(life, { pathLimit }), { message: /pathLimit must be/ });
  const torn = { a: ['b'] } as unknown as Graph<'a'>;
  t.throws(() => machine(torn), { message: 'machine: a leads to b, which the graph does not have' });
  const { set } = machine(life);
  t.throws(() => set(at('Run'), 'Run'), { message: 'machine: it is at Run already' });
  t.throws(() => set(at('Run'), 'Nowhere' as Life), { message: /Nowhere is not a state of Run, Servicing/ });
  t.is(set(at('End'), 'End').isOn, false);
});

test('OKT-c10: what entering a state throws ends the walk', async (t) => {
  const entering = walkGraph(life, 'Run', async (state) => {
    if (state === 'Servicing') throw new Error('no service');
    return new Set<Life>();
  });
  await t.throwsAsync(entering, { message: 'no service' });
});

test('a walk that never comes to a leaf is given up after 1 000 transitions', async (t) => {
  let enter = 0;
  const walking = walkGraph({ a: ['b'], b: ['a'] }, 'a', async () => {
    enter += 1;
    return new Set<'a' | 'b'>();
  });
  await t.throwsAsync(walking, { instanceOf: GiveUpError, message: /^InfiniteLoop/ });
  t.is(enter, 1001);
});

test('no event ever leads where the graph does not', (t) => {
  const states = Object.keys(life) as readonly Life[];
  fc.assert(
    fc.property(fc.array(fc.subarray([...states])), (rounds) => {
      const { enterNext } = machine(life);
      let position = at('Run');
      for (const events of rounds) {
        const next = enterNext(position, events);
        if (next !== position) {
          t.true(life[position.state!].includes(next.state!) && events.includes(next.state!));
          t.is(next.isOn, next.state !== 'End');
        }
        position = next;
      }
    }),
  );
});
