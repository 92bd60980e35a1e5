import test from 'ava';
import { conditionStatuses } from '../../../../../../sdk/index.ts';
import { marks, toneOf } from '../../../../../../sequencer/page/browser/model/status-tone.ts';

test('each status has a tone, and each tone a mark of its own', (t) => {
  const tones = Object.fromEntries(conditionStatuses.map((status) => [status, toneOf(status)]));
  t.is(tones.Error, 'bad');
  t.is(tones.Completed, 'good');
  t.is(tones['In Progress'], 'busy');
  t.is(tones.Unknown, 'doubt');
  t.is(toneOf('constructor'), 'busy');
  t.is(new Set(Object.values(marks)).size, 5);
});
