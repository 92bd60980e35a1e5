import test from 'ava';
import { fuzz } from './fuzz.ts';
import { faultOf } from './oracle.ts';
import { fuzzSockets } from './sockets.ts';

/** Seed, the same in every run; `node test/system/fuzz/main.ts` uses a new one each time, for longer. */
const seed = 20_260_101;

test('whatever is asked, the answer is an answer', async (t) => {
  t.true((await fuzz({ seed, duration: 3000 })) > 0);
});

test('whatever clients do to their connections, others are answered and nothing stays open', async (t) => {
  t.true((await fuzzSockets({ seed, duration: 1500 })).connections > 0);
});

test('an answer that is none is reported', (t) => {
  const json = (status: number, body: object) =>
    faultOf({ status, contentType: 'application/json', text: JSON.stringify(body) });
  t.is(json(404, { kind: 'Status', code: 404, message: 'x' }), undefined);
  t.is(faultOf({ status: 404, contentType: 'text/plain; charset=utf-8', text: '404 page not found\n' }), undefined);
  t.is(
    json(500, {
      kind: 'Status',
      code: 500,
      message: 'Internal error occurred: TypeError: a is not a function\n    at b',
    }),
    'it tells of a defect',
  );
  t.is(json(500, { kind: 'Status', code: 404 }), 'its code is 404');
  t.is(json(400, { kind: 'Pod' }), 'its kind is Pod');
  t.is(faultOf({ status: 500, contentType: 'text/plain', text: 'oops' }), 'it is not JSON');
  t.is(faultOf({ status: 101, contentType: '', text: '' }), 'status 101');
});
