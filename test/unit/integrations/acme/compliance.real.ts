import test from 'ava';
import { type TestFunction, testIntegration } from '../../../compliance/index.ts';
import { startRealServer } from './fixtures/a-real-server.ts';
import { integrationOf, publishedAtOnce, subject } from './fixtures/subject.ts';

/** Servers that no life uses: some cases live two at once. They take every challenge for answered: `certificate.real.ts` has them look. */
const idle = await Promise.all([startRealServer(), startRealServer()]);
const all = [...idle];
test.after.always('the servers stop', () => Promise.all(all.map(({ pebble }) => pebble.close())));

const serial: TestFunction = Object.assign(
  (title: string, run: (context?: unknown) => Promise<void>) => test.serial(title, run),
  { skip: (title: string) => test.serial.skip(title, () => {}) },
);

const alike = 'proved with the server in memory: it takes many lives, or equal uids';

testIntegration(serial, {
  ...subject,
  time: 'real',
  cannot: {
    definite: alike,
    signal: alike,
    crash: alike,
    copied: alike,
    forged: alike,
    memory: alike,
    ambiguous: alike,
    throttled: alike,
  },
  async start({ client }) {
    const server = idle.pop();
    if (server === undefined) throw new Error('more lives at once than servers');
    server.empty();
    const options = {
      ...{ directory: server.pebble.directory, deadline: 2_000 },
      ...{ driftInterval: 2_000, renewalInterval: 2_000, retryInterval: 2_000 },
    };
    return {
      fetch: server.fetch,
      integration: (run) => integrationOf(run, { dns: publishedAtOnce(client) }, options),
      causeDrift: () => server.revokeAll(),
      remote: () => server.things(),
      close: () => void idle.push(server),
    };
  },
});
