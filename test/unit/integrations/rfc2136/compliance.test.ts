import test from 'ava';
import { testIntegration } from '../../../compliance/index.ts';
import { startTestNameServer } from './fixtures/name-server.ts';
import { integrationOf, secret, subject, wordsOf, zone } from './fixtures/subject.ts';

testIntegration(test.serial, {
  ...subject,
  secrets: [secret],
  async start({ clock }) {
    const key = { name: 'op-key', algorithm: 'hmac-sha256', secret: Buffer.from(secret, 'base64') } as const;
    const server = await startTestNameServer({ zone, key, now: () => clock.now() / 1000 });
    const { host, port } = server;
    return {
      integration: (run) =>
        integrationOf(run, {
          server: { host, port },
          key: { name: key.name, secret },
          clock: run.clock,
          driftInterval: 60_000,
        }),
      causeDrift: () => server.clear(),
      remote: () =>
        server.records().map((record) => {
          const [name = '', type = '', value = ''] = record.split(' ');
          return wordsOf(name, type, value);
        }),
      close: () => server.close(),
    };
  },
});
