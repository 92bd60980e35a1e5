import 'zod'; // loading it late takes time, for which the clocks of lives do not stand still
import test from 'ava';
import { hooksSubject } from '../../../../sequencer/cli/prove/hooks-subject.ts';
import { type TestFunction, testIntegration } from '../../../compliance/index.ts';
import { type Language, startRealHooksServer } from './a-real-server.ts';
import { secret } from './subject.ts';

const named = (words: string): TestFunction =>
  Object.assign((title: string, run: (context?: unknown) => Promise<void>) => test.serial(`${words}: ${title}`, run), {
    skip: (title: string) => test.serial.skip(`${words}: ${title}`, () => {}),
  });

const swept = 'the same server is proved by it in virtual time, which takes seconds instead of minutes';

/** Runs the compliance cases against the example server in a language, in virtual and in real time. */
export async function proveIn(language: Language): Promise<void> {
  const { url, close } = await startRealHooksServer(language);
  const [virtual, real] = [await hooksSubject({ url, secret, time: 'virtual' }), await hooksSubject({ url, secret })];
  const several = await hooksSubject({ url, secret, time: 'virtual', several: true });
  test.after.always(`the server in ${language} stops`, close);
  testIntegration(named('virtual time'), virtual);
  testIntegration(named('two things, virtual time'), several);
  testIntegration(named('real time'), {
    ...real,
    cannot: { forged: swept, signal: swept, ambiguous: swept },
  });
}
