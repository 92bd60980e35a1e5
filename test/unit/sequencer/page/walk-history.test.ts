import test from 'ava';
import type { ConditionStatus, Workspace } from '../../../../sdk/index.ts';
import { WalkHistory } from '../../../../sequencer/page/walk-history.ts';
import { aWorkspace } from '../../a-workspace.ts';

const began = Date.parse('2026-01-01T00:00:00Z');
const at = (status: ConditionStatus): Workspace => aWorkspace({ conditions: { DNS: status } });

test('spans begin with the time of the condition, and later ones when they are seen', (t) => {
  const history = new WalkHistory();
  history.record('default/shop', at('Waiting'), began + 500);
  history.record('default/shop', at('Waiting'), began + 700);
  history.record('default/shop', at('Completed'), began + 900);
  t.deepEqual(
    history.spansOf('default/shop', 'DNS').map(({ status, from, to }) => [status, from - began, to && to - began]),
    [
      ['Waiting', 0, 900],
      ['Completed', 900, undefined],
    ],
  );
  t.deepEqual(history.spansOf('default/shop', 'Other'), []);
});

test('the journal of a holder that is silent keeps the time of its last change', (t) => {
  const history = new WalkHistory();
  const beating = (beat: number) => aWorkspace({ guards: { DNS: { phase: 'intent', beat } } });
  history.record('a/b', beating(1), 10);
  history.record('a/b', beating(1), 20);
  t.is(history.journalChangedAt('a/b', 'DNS'), 10);
  history.record('a/b', beating(2), 30);
  t.is(history.journalChangedAt('a/b', 'DNS'), 30);
});

test('another workspace of the same name begins anew', (t) => {
  const history = new WalkHistory();
  history.record('default/shop', at('Waiting'), began + 1);
  const other = { ...at('Completed'), metadata: { ...at('Completed').metadata, uid: 'other' } };
  history.record('default/shop', other, began + 2);
  t.deepEqual(
    history.spansOf('default/shop', 'DNS').map(({ status }) => status),
    ['Completed'],
  );
  history.forget('default/shop');
  t.is(history.size, 0);
});

test('a condition and all workspaces together have their limits; what changed least recently goes first', (t) => {
  const history = new WalkHistory({ perCondition: 3, total: 6 });
  const statuses: readonly ConditionStatus[] = ['Waiting', 'Error', 'Waiting', 'Error', 'Completed'];
  const live = (key: string) => {
    for (const [index, status] of statuses.entries()) history.record(key, at(status), began + index);
  };
  live('a/one');
  t.is(history.spansOf('a/one', 'DNS').length, 3);
  live('a/two');
  t.is(history.size, 6);
  live('a/three');
  t.is(history.size, 6);
  t.deepEqual(history.spansOf('a/one', 'DNS'), []);
});
