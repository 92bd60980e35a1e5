import test from 'ava';
import { initialState, nextPage, nextRows } from '../../../../../../sequencer/page/browser/model/page-state.ts';
import type { WorkspaceRow } from '../../../../../../sequencer/page/page-model.ts';

const row = (key: string, phase = 'Healthy'): WorkspaceRow => ({
  key,
  phase,
  reason: '',
  conditions: [],
  deleting: false,
  paused: false,
  created: '',
});
const change = { reset: false, more: false, changed: [], gone: [] };

test('rows are sorted, changed in place and removed', (t) => {
  const first = nextRows([], { ...change, reset: true, changed: [row('b/b'), row('a/a')] });
  t.deepEqual(
    first.map(({ key }) => key),
    ['a/a', 'b/b'],
  );
  const second = nextRows(first, { ...change, changed: [row('a/a', 'Error')] });
  t.is(second[0]?.phase, 'Error');
  t.is(second[1], first[1], 'what has not changed is the same object');
  t.deepEqual(
    nextRows(second, { ...change, gone: ['a/a', 'x/x'], changed: [row('a/c')] }).map(({ key }) => key),
    ['a/c', 'b/b'],
  );
  t.deepEqual(nextRows(second, { ...change, reset: true }), []);
});

test('the list is complete with its last part, and stays so while the next one comes', (t) => {
  const feed = (state: typeof initialState, value: typeof change) => nextPage(state, { type: 'rows', value }, 0);
  const part = feed(initialState, { ...change, reset: true, more: true });
  t.false(part.complete);
  const whole = feed(part, change);
  t.true(whole.complete);
  t.true(feed(whole, { ...change, more: true }).complete);
  t.true(feed(whole, { ...change, reset: true, more: true }).complete);
});

test('the clock of the server is kept, and a lost connection keeps what is shown', (t) => {
  const session = { viewer: 'you', mode: 'dev' as const, controls: [], plans: false, now: 5000 };
  const live = nextPage(initialState, { type: 'session', value: session }, 2000);
  t.deepEqual([live.connection, live.skew], ['live', 3000]);
  const lost = nextPage(live, { type: 'connection', value: 'lost', problem: 'no answer' }, 2000);
  t.deepEqual([lost.connection, lost.problem, lost.session], ['lost', 'no answer', session]);
  const out = nextPage(live, { type: 'connection', value: 'signed-out' }, 0);
  t.deepEqual([out.session, out.rows], [undefined, []], 'nothing stays for the next user');
  const chosen = nextPage(live, { type: 'workspace', value: null }, 0);
  t.is(chosen.workspace, null);
  t.is(nextPage(chosen, { type: 'select' }, 0).workspace, undefined);
});

test('a list that is sent anew replaces the former one when it is whole, so that nothing jumps', (t) => {
  const feed = (state: typeof initialState, value: typeof change) => nextPage(state, { type: 'rows', value }, 0);
  const keys = (state: typeof initialState) => state.rows.map(({ key }) => key);
  const former = feed(initialState, { ...change, reset: true, changed: [row('a/a'), row('a/b')] as never });
  const begun = feed(former, { ...change, reset: true, more: true, changed: [row('a/b', 'Error')] as never });
  t.deepEqual(keys(begun), ['a/a', 'a/b']);
  const whole = feed(begun, { ...change, changed: [row('a/c')] as never });
  t.deepEqual(keys(whole), ['a/b', 'a/c']);
  t.is(whole.rows[0]?.phase, 'Error');
  t.true(whole.complete);
});
