import test from 'ava';
import { marksOf, placeSpans, windowOf } from '../../../../../../sequencer/page/browser/model/timeline-scale.ts';

const span = (from: number, to?: number) => ({ status: 'Waiting', reason: '', from, to });
const hour = 3_600_000;

test('the window is that of the last walk: an older one is left out', (t) => {
  const spans = [[span(0, 10_000), span(10_000, hour), span(hour, hour + 8000), span(hour + 8000)]];
  const window = windowOf(spans, hour + 60_000);
  t.is(window.from, hour);
  t.true(window.to > hour + 8000 && window.to < hour + 20_000, 'a walk that is over does not shrink with time');
  t.is(windowOf(spans, hour + 8500).to, hour + 8500, 'one that continues reaches to now');
  t.deepEqual(windowOf([], 5000), { from: 5000, to: 7000 });
});

test('spans are cut to the window; one without an end lasts until now', (t) => {
  const all = placeSpans([span(0, 50), span(50, 150), span(150)], { from: 100, to: 200 }, 180);
  t.deepEqual(
    all.map(({ left, width }) => [left, width]),
    [
      [0, 50],
      [50, 30],
    ],
  );
});

test('a scale has at most seven marks', (t) => {
  t.deepEqual(marksOf({ from: 0, to: 7000 }), [0, 2000, 4000, 6000]);
  for (const length of [1, 999, 12_345, hour, 90 * hour]) {
    const marks = marksOf({ from: 0, to: length });
    t.true(marks.length > 0 && marks.length <= 7, `${length}: ${marks.length}`);
  }
});
