import test from 'ava';
import { aKeeper, boxes } from '../a-keeper.ts';

const frame = /at (?:async )?(.+) \(.*\/(sdk\/provider\/\w+\/[\w-]+\.ts)/;

test('within the lock of its condition, a creation is called through seven named functions, each in a room that its name fits', async (t) => {
  const errors: Error[] = [];
  const create = async (): Promise<never> => {
    await Promise.resolve();
    errors.push(new Error('here'));
    throw errors.at(-1);
  };
  const { stage, actor } = await aKeeper('key', { create });
  await stage.create(boxes({ a: 1 }));
  await t.throwsAsync(actor.walk(), { message: 'here' });
  const frames = errors[0]!
    .stack!.split('\n')
    .filter((line) => line.includes('/sdk/provider/') && !line.includes('/test/'));
  t.deepEqual(
    frames.map((line) => frame.exec(line)?.slice(1).join(' of ') ?? line),
    [
      'Object.create of sdk/provider/contract/check-resource-results.ts',
      'createOrAdopt of sdk/provider/external/creation.ts',
      'create of sdk/provider/external/creation.ts',
      'instrumentedCall of sdk/provider/guard/instrumented-call.ts',
      'attemptResultOf of sdk/provider/guard/attempt.ts',
      'runAttempt of sdk/provider/guard/attempt.ts',
      'runGuarded of sdk/provider/guard/guard.ts',
    ],
  );
});
