import test from 'ava';
import {
  IntegrationCall,
  type PendingCall,
  pendingCallText,
} from '../../../../../sdk/provider/contract/call-deadline.ts';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';

const integration = { claim: 'se.quencer.io/dns', type: 'DNS' };

function aCall() {
  const clock = createManualClock();
  const killed = new AbortController();
  const times = { call: 30_000 } as never;
  const told: PendingCall[] = [];
  const call = new IntegrationCall({ clock, killed: killed.signal, times }, integration);
  const run = <T>(work: () => T | Promise<T>): Promise<T> => {
    const running = call.run('reconcile', work, (unanswered) => told.push(unanswered));
    running.catch(() => undefined);
    return running;
  };
  return { clock, killed, told, call, run };
}
const never = () => new Promise<never>(() => {});

test('an answer is handed on, and so is what is thrown, at once or later', async (t) => {
  const { run, call } = aCall();
  t.is(await run(() => 1), 1);
  t.is(await run(async () => 2), 2);
  const throwing = () => {
    throw new Error('at once');
  };
  await t.throwsAsync(run(throwing), { message: 'at once' });
  await t.throwsAsync(
    run(() => Promise.reject(new Error('later'))),
    { message: 'later' },
  );
  t.false(call.signal.aborted);
});

test('a call that does not return is told of once, given up in time, and may do nothing any more', async (t) => {
  const { clock, told, call, run } = aCall();
  const running = run(never);
  await clock.advance(29_999);
  t.is(told.length, 1);
  t.is(
    pendingCallText(told[0]!),
    'reconcile has not answered since 2026-01-01T00:00:00Z, and is given up at 2026-01-01T00:00:30Z',
  );
  t.false(call.signal.aborted);
  await clock.advance(1);
  const error = await t.throwsAsync(running, { name: 'ContractError' });
  t.is(
    error.message,
    'integration "dns" (condition DNS): reconcile must answer within 30000 ms; found no answer since 2026-01-01T00:00:00Z: pass controller.signal to its requests',
  );
  t.is(call.signal.reason, error);
  await t.throwsAsync(
    call.runUntimed(async () => t.fail()),
    { message: error.message },
  );
});

test('our own work inside a call does not count, however much of it continues side by side', async (t) => {
  const { clock, told, call, run } = aCall();
  const work = () => call.runUntimed(() => clock.sleep(50_000));
  const running = run(async () => {
    await clock.sleep(9_000);
    await Promise.all([work(), call.runUntimed(work), call.runUntimed(() => clock.sleep(10_000))]);
    await clock.sleep(9_000);
    return 'answered';
  });
  await clock.advance(9_000);
  await clock.advance(50_000);
  t.deepEqual(told, []);
  await clock.advance(1_000);
  t.is(told.length, 1);
  await clock.advance(8_000);
  t.is(await running, 'answered');
  await clock.advance(60_000);
  t.false(call.signal.aborted, 'the time is over with the call');
});

test('each call has its own time', async (t) => {
  const { clock, run } = aCall();
  for (let count = 0; count < 3; count += 1) {
    const running = run(() => clock.sleep(20_000));
    await clock.advance(20_000);
    await t.notThrowsAsync(running);
  }
});

test('a process that must end waits for no call', async (t) => {
  const { killed, run } = aCall();
  const running = run(never);
  killed.abort(new Error('enough'));
  await t.throwsAsync(running, { message: 'enough' });
  await t.throwsAsync(run(never), { message: 'enough' });
});
