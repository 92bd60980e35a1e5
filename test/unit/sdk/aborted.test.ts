import test from 'ava';
import { aborted } from '../../../sdk/aborted.ts';

test('aborted resolves when the signal aborts, and at once if it has', async (t) => {
  const abort = new AbortController();
  let isOver = false;
  const waiting = aborted(abort.signal).then(() => {
    isOver = true;
  });
  t.false(isOver);
  abort.abort();
  await waiting;
  await aborted(abort.signal);
  t.true(isOver);
});
