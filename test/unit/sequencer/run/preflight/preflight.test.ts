import test from 'ava';
import { ApiError, OperatorError, UserError } from '../../../../../sdk/index.ts';
import { createPreflight } from '../../../../../sequencer/run/preflight/preflight.ts';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';

const missing = new UserError('E#1016', 'missing rights: get pods');
const old = new UserError('E#1015', 'an older definition');
const failing = (name: string, error: () => Error | undefined) => ({
  name,
  run: async () => {
    const thrown = error();
    if (thrown !== undefined) throw thrown;
  },
});
const { signal } = new AbortController();

test('without a handler of its problems it throws: one as it is, several together', async (t) => {
  const clock = createManualClock();
  const one = createPreflight({ checks: [failing('rights', () => missing)], waits: false, clock });
  t.is(await t.throwsAsync(one.pass(signal)), missing);
  const checks = [failing('rights', () => missing), failing('definitions', () => old)];
  await t.throwsAsync(createPreflight({ checks, waits: false, clock }).pass(signal), { instanceOf: OperatorError });
});

test('waiting, it says what is in the way, logs it once, and continues when that is fixed', async (t) => {
  const clock = createManualClock();
  const lines: string[] = [];
  const logger = {
    error: (_: unknown, text: string) => void lines.push(text),
    info: (text: string) => void lines.push(text),
  } as never;
  let error: Error | undefined = missing;
  const preflight = createPreflight({ checks: [failing('rights', () => error)], waits: true, clock, logger });
  t.not(preflight.problems().length, 0, 'nothing is ready before it is checked');
  const passing = preflight.pass(signal);
  await clock.advance(60_000);
  t.deepEqual(preflight.problems(), ['E#1016: missing rights: get pods']);
  t.deepEqual(lines, preflight.problems());
  error = undefined;
  await clock.advance(10_000);
  await passing;
  t.deepEqual(preflight.problems(), []);
  t.is(lines.at(-1), 'rights and definitions are in order again');
});

test('a server that fails is reported with its address, the request and the status', async (t) => {
  const clock = createManualClock();
  const request = { method: 'GET', path: '/apis/acme.example/v1?limit=1', server: 'https://192.0.2.1:6443' };
  const status = { kind: 'Status', apiVersion: 'v1' } as const;
  const shutting = new ApiError({ ...status, code: 503, message: 'apiserver is shutting down' }, request);
  const bare = new ApiError({ ...status, code: 429 }, request);
  let error: Error = shutting;
  const preflight = createPreflight({ checks: [failing('rights', () => error)], waits: true, clock });
  const stop = new AbortController();
  const passing = preflight.pass(stop.signal).catch(() => undefined);
  await clock.advance(1);
  t.deepEqual(preflight.problems(), [
    'https://192.0.2.1:6443 answers 503 to GET /apis/acme.example/v1: apiserver is shutting down',
  ]);
  error = bare;
  await clock.advance(10_000);
  t.deepEqual(preflight.problems(), ['https://192.0.2.1:6443 answers 429 to GET /apis/acme.example/v1']);
  stop.abort();
  await passing;
});

test('what has been reported and is fixed is reported as well, once', async (t) => {
  const clock = createManualClock();
  const lines: string[] = [];
  const logger = {
    error: (_: unknown, text: string) => void lines.push(text),
    info: (text: string) => void lines.push(text),
  } as never;
  let error: Error | undefined;
  const preflight = createPreflight({ checks: [failing('rights', () => error)], waits: true, clock, logger });
  await preflight.pass(signal);
  t.deepEqual(lines, [], 'nothing was wrong');
  const stop = new AbortController();
  const over = preflight.repeat(stop.signal).catch(() => undefined);
  error = missing;
  await clock.advance(300_000);
  error = undefined;
  await clock.advance(700_000);
  t.deepEqual(lines, ['E#1016: missing rights: get pods', 'rights and definitions are in order again']);
  stop.abort();
  await over;
});

test('a defect ends it at once, and so does the signal', async (t) => {
  const clock = createManualClock();
  const broken = createPreflight({ checks: [failing('rights', () => new TypeError('oops'))], waits: true, clock });
  await t.throwsAsync(broken.pass(signal), { instanceOf: TypeError });
  const stop = new AbortController();
  const waiting = createPreflight({ checks: [failing('rights', () => missing)], waits: true, clock }).pass(stop.signal);
  await clock.advance(1000);
  const reason = new Error('stop');
  stop.abort(reason);
  t.is(await t.throwsAsync(waiting), reason);
});

test('what fails later is a problem then, until it is fixed', async (t) => {
  const clock = createManualClock();
  let error: Error | undefined;
  const preflight = createPreflight({ checks: [failing('definitions', () => error)], waits: false, clock });
  await preflight.pass(signal);
  const stop = new AbortController();
  const repeating = preflight.repeat(stop.signal);
  error = old;
  await clock.advance(300_000);
  t.deepEqual(preflight.problems(), ['E#1015: an older definition']);
  error = undefined;
  await clock.advance(10_000);
  t.deepEqual(preflight.problems(), []);
  stop.abort(missing);
  t.is(await t.throwsAsync(repeating), missing);
});

test('a change that is followed is checked at once, and others ten seconds after the last check', async (t) => {
  const clock = createManualClock();
  let [changed, checks]: [() => void, number] = [() => undefined, 0];
  const run = async () => {
    checks += 1;
  };
  const follow = async (tell: () => void) => {
    changed = tell;
  };
  const preflight = createPreflight({ checks: [{ name: 'definitions', run }], waits: false, clock, follow });
  await preflight.pass(signal);
  const stop = new AbortController();
  const repeating = preflight.repeat(stop.signal);
  await clock.advance(60_000);
  t.is(checks, 1);
  changed();
  await clock.advance(0);
  t.is(checks, 2, 'at once');
  changed();
  await clock.advance(9000);
  t.is(checks, 2, 'another writer that puts it back each time does not make it a loop');
  await clock.advance(1000);
  t.is(checks, 3);
  await clock.advance(299_000);
  t.is(checks, 3);
  await clock.advance(1000);
  t.is(checks, 4, 'without a change every five minutes');
  stop.abort(missing);
  t.is(await t.throwsAsync(repeating), missing);
});
