import test from 'ava';
import { canonicalMicroTime, canonicalTime, timeParseMessage } from '../../../../cluster/apimachinery/go/go-time.ts';

test('times are kept in seconds, in UTC', (t) => {
  t.is(canonicalTime('2024-02-29T23:30:00-01:00'), '2024-03-01T00:30:00Z');
  t.is(canonicalTime('2023-02-29T00:00:00Z'), undefined);
  t.is(canonicalTime('2024-01-01'), undefined);
});

test('micro times need six decimals', (t) => {
  t.is(canonicalMicroTime('2024-01-01T00:00:00.123456Z'), '2024-01-01T00:00:00.123456Z');
  t.is(canonicalMicroTime('2024-01-01T00:00:00Z'), undefined);
});

test('what does not fit is named with the part of the layout', (t) => {
  t.is(timeParseMessage('2024-1'), 'parsing time "2024-1" as "2006-01-02T15:04:05Z07:00": cannot parse "1" as "01"');
  t.is(
    timeParseMessage('x', true),
    'parsing time "x" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "x" as "2006"',
  );
});
