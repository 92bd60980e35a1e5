import test from 'ava';
import { ageText, timeText } from '../../../../../../sequencer/page/browser/model/time-text.ts';

test('durations have one unit or two', (t) => {
  const texts = [40, 9940, 9960, 59_000, 60_000, 247_000, 3_600_000, 10_920_000, 439_200_000, -5].map(timeText);
  t.deepEqual(texts, [
    '0.0 s',
    '9.9 s',
    '10.0 s',
    '59 s',
    '1 min',
    '4 min 7 s',
    '1 h',
    '3 h 2 min',
    '5 d 2 h',
    '0.0 s',
  ]);
});

test('ages are in whole seconds, and a time that is none has no age', (t) => {
  const now = Date.parse('2026-01-01T00:01:00Z');
  t.is(ageText('2026-01-01T00:00:56Z', now), '4 s');
  t.is(ageText(now - 300, now), 'now');
  t.is(ageText('2026-01-01T00:02:00Z', now), 'now');
  t.is(ageText('', now), '');
  t.is(ageText(undefined, now), '');
});
