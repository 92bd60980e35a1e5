import 'zod'; // loading it late takes time, for which the clocks of lives do not stand still
import test from 'ava';
import { hooksSubject } from '../../../sequencer/cli/prove/hooks-subject.ts';
import { type TestFunction, testIntegration } from '../../compliance/index.ts';
import { type Language, startRealHooksServer } from './a-real-server.ts';
import { secret } from './subject.ts';

const named = (words: string): TestFunction =>
  Object.assign((title: string, run: (context?: unknown) => Promise<void>) => test.serial(`${words}: ${title}`, run), {
    skip: (title: string) => test.serial.skip(`${words}: ${title}`, () => {}),
  });

const swept = 'the same server is proved by it in virtual time, which takes seconds instead of minutes';

const prepared = await Promise.all(
  (['Python', 'Go'] satisfies readonly Language[]).map(async (language) => {
    const { url, close } = await startRealHooksServer(language);
    const [virtual, real] = [await hooksSubject({ url, secret, time: 'virtual' }), await hooksSubject({ url, secret })];
    return { language, close, virtual, real };
  }),
);

for (const { language, close, virtual, real } of prepared) {
  test.after.always(`the server in ${language} stops`, close);
  testIntegration(named(`${language}, virtual time`), virtual);
  testIntegration(named(`${language}, real time`), {
    ...real,
    cannot: { forged: swept, signal: swept, ambiguous: swept },
  });
}
