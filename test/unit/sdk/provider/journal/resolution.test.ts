import test from 'ava';
import fc from 'fast-check';
import {
  parseRefs,
  parseResolution,
  type Resolution,
  resolutionOf,
  resolutionText,
  resolvedWrite,
} from '../../../../../sdk/provider/journal/resolution.ts';
import { anEntry, aWorkspace } from '../../../a-workspace.ts';

const unknown = {
  phase: 'unknown',
  token: 7,
  ambiguous: true,
  lost: true,
  refs: [{ id: 'known' }],
  late: [{ id: 'late' }],
} as const;
const asked = (answer: string, entry: object = unknown) =>
  aWorkspace({ guards: { DNS: entry }, annotations: { 'resolve.se.quencer.io/DNS': answer } });
const slotOf = (resolution: Resolution, entry: object = {}) =>
  resolvedWrite(aWorkspace({ guards: { DNS: { ...unknown, ...entry } } }), 'DNS', { resolution, now: 0 });

test('what is written is read back', (t) => {
  const token = fc.nat();
  const ref = fc.dictionary(fc.string({ minLength: 1 }), fc.string(), { minKeys: 1, noNullPrototype: true });
  const refs = fc.array(ref, { minLength: 1, maxLength: 3 });
  const resolution = fc.oneof(
    fc.record({ verb: fc.constantFrom('retry' as const, 'orphan' as const), token }),
    fc.record({ verb: fc.constant('adopt' as const), token, refs }),
  );
  fc.assert(fc.property(resolution, (one) => void t.deepEqual(parseResolution(resolutionText(one)), one)));
});

test('an answer that is none is not an answer', (t) => {
  for (const text of ['', 'retry', 'retry@', 'retry@x', 'adopt@7', 'adopt@7=', 'orphan@7=x', 'delete@7'])
    t.is(parseResolution(text), undefined, text);
});

test('an id is a JSON object, or any text; several are an array', (t) => {
  t.deepEqual(parseRefs('{"zone":"z","id":"r"}'), [{ zone: 'z', id: 'r' }]);
  t.deepEqual(parseRefs('cn=a,dc=b'), [{ id: 'cn=a,dc=b' }]);
  t.deepEqual(parseRefs('[]'), [{ id: '[]' }]);
  t.deepEqual(parseRefs('["rec-1",2,{"slot":"b","id":"rec-2"}]'), [
    { id: 'rec-1' },
    { id: '2' },
    { slot: 'b', id: 'rec-2' },
  ]);
});

test('an answer counts only for the question that is asked now', (t) => {
  t.deepEqual(resolutionOf(asked('retry@7'), 'DNS'), { verb: 'retry', token: 7 });
  t.is(resolutionOf(asked('retry@6'), 'DNS'), undefined, 'an older question');
  t.is(resolutionOf(asked('retry@7', { ...unknown, phase: 'intent' }), 'DNS'), undefined, 'no person is asked');
  t.is(resolutionOf(asked('retry@7'), 'Mail'), undefined);
});

test('retry: nothing was made, the operation is run again', (t) => {
  const { entry, condition } = slotOf({ verb: 'retry', token: 7 });
  t.like(entry, { phase: 'failed', refs: [{ id: 'known' }], late: [{ id: 'late' }] });
  t.is(entry.ambiguous, undefined);
  t.true(entry.lost, 'the known objects were not observed yet');
  t.is(slotOf({ verb: 'retry', token: 7 }, { refs: [] }).entry.lost, undefined);
  t.is(condition.status, 'Waiting');
});

test('adopt: the id joins those known; one that ensure was to make becomes its thing', (t) => {
  const resolution: Resolution = { verb: 'adopt', token: 7, refs: [{ id: 'made' }] };
  t.deepEqual(slotOf(resolution).entry.refs, [{ id: 'known' }, { id: 'made' }]);
  t.like(slotOf(resolution, { input: { slot: 'a', hash: 'h', wanted: {} } }).entry, {
    phase: 'done',
    refs: [{ id: 'known' }, { slot: 'a', id: { id: 'made' }, hash: 'h', state: 'named' }],
  });
  const several: Resolution = {
    verb: 'adopt',
    token: 7,
    refs: [
      { slot: 'b', id: 'two' },
      { slot: 'a', id: 'one' },
    ],
  };
  t.deepEqual(slotOf(several, { input: { slot: 'a', hash: 'h', wanted: {} } }).entry.refs?.slice(1), [
    { slot: 'b', id: 'two' },
    { slot: 'a', id: { id: 'one' }, hash: 'h', state: 'named' },
  ]);
});

test('orphan: nothing is ours any more', (t) => {
  const { entry } = slotOf({ verb: 'orphan', token: 7 });
  t.deepEqual(entry, { ...anEntry(), phase: 'gone', token: 7 });
});

test('run again, a creation in the place of what was gone has the latter read again before it counts', (t) => {
  const input = { slot: 'b', wanted: 1, hash: 'h', instead: { slot: 'b', id: { id: 'gone' } } };
  const refs = [
    { slot: 'a', id: { id: 'kept' }, hash: 'h' },
    { slot: 'b', id: { id: 'gone' }, hash: 'h' },
  ];
  const { entry } = slotOf({ verb: 'retry', token: 7 }, { op: 'create', input, refs, late: undefined });
  t.deepEqual(entry.refs, [refs[0], { ...refs[1], state: 'doubtful' }]);
});
