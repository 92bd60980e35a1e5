import test from 'ava';
import { DefiniteError, type Observer, SecretRegistry, ThrottledError } from '../../../../../sdk/index.ts';
import { errorEffectOf } from '../../../../../sdk/provider/guard/instrumented-call.ts';
import { createLogger } from '../../../../../sequencer/cli/output/log.ts';
import { createSequencer } from '../../../../../sequencer/index.ts';
import { aTargetCluster } from '../../../a-target-cluster.ts';
import { guarding } from '../guarding.ts';

test('an error is classified by what it says of the third party', (t) => {
  t.is(errorEffectOf(new ThrottledError('slow', 1)), 'throttled');
  t.is(errorEffectOf(new DefiniteError('no')), 'definite');
  t.is(errorEffectOf(new Error('cut off')), 'ambiguous');
});

test('each attempt is reported once, with what, how it ended and how long it took; a change has one line in the log', async (t) => {
  const stage = await aTargetCluster();
  const { client, clock } = stage;
  const told: unknown[] = [];
  const lines: string[] = [];
  const observer: Observer = {
    called: (call) => void told.push(call),
    recovered: (recovery) => void told.push(recovery),
  };
  const task = async () => {
    await clock.sleep(1_500);
    return { status: 'Completed' as const, reason: 'made' };
  };
  await stage.create();
  const stop = new AbortController();
  const integrations = [guarding({ task })];
  const logger = await createLogger('info', { write: (line: string) => void lines.push(line) }, new SecretRegistry());
  const running = createSequencer({ client, clock, integrations, observer, logger }).run(stop.signal);
  for (let seconds = 0; seconds < 5; seconds += 1) await clock.advance(1_000);
  const call = { operation: 'task', outcome: 'success', ms: 1_500 };
  t.like(told, [call]);
  t.is(told.length, 1);
  const changes = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'changed outside');
  t.is(changes.length, 1);
  t.like(changes[0], { ...call, workspace: { namespace: 'default', name: 'shop' } });
  stop.abort();
  await Promise.all([running, clock.advance(20_000)]);
  await stage.cluster.close();
});
