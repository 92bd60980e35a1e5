import test from 'ava';
import { defineIntegration, type GuardEntry } from '../../../sdk/index.ts';
import { formerOf } from '../../../sequencer/engine/former-conditions.ts';
import { aWorkspace } from '../../a-workspace.ts';

const connect = () => ({ reconcile: async () => undefined, terminate: async () => undefined });
const boxes = defineIntegration({ name: 'boxes', condition: 'Crates', after: ['DNS'], handles: () => true, connect });
const under = (entry: Partial<GuardEntry>, type = 'Boxes') =>
  formerOf(aWorkspace({ guards: { [type]: { claim: 'se.quencer.io/boxes', ...entry } } }), boxes).map(
    ({ condition }) => condition,
  );

test('a condition whose journal the integration has written, and that is not its own any more, is a former one', (t) => {
  t.deepEqual(under({}), ['Boxes']);
  t.deepEqual(under({ phase: 'gone', late: [{ id: 1 }] }), ['Boxes']);
  t.deepEqual(under({}, 'Crates'), []);
  t.deepEqual(under({ claim: 'se.quencer.io/other' }), []);
});

test('one where nothing was begun, or nothing is left, is none', (t) => {
  t.deepEqual(under({ phase: 'none' }), []);
  t.deepEqual(under({ phase: 'gone' }), []);
});

test('it is taken away like one that nobody asks for, and waits for nobody', (t) => {
  const [former] = formerOf(aWorkspace({ guards: { Boxes: { claim: 'se.quencer.io/boxes' } } }), boxes);
  t.like(former, { name: 'boxes', condition: 'Boxes', after: [] });
  t.false(former?.handles(aWorkspace()));
});
