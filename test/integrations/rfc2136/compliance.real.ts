import test from 'ava';
import { type TestFunction, testIntegration } from '../../compliance/index.ts';
import { startNameServer } from '../../real/name-server.ts';
import { integrationOf, subject, wordsOf, zone } from './subject.ts';

const implementations = ['bind', 'knot'] as const;
const servers = await Promise.all(implementations.map((implementation) => startNameServer({ implementation, zone })));

for (const [index, implementation] of implementations.entries()) {
  const server = servers[index]!;
  test.after.always(`${implementation} stops`, () => server.close());
  const { host, port, key } = server;
  const named: TestFunction = Object.assign(
    (title: string, run: (context?: unknown) => Promise<void>) => test.serial(`${implementation}: ${title}`, run),
    { skip: (title: string) => test.serial.skip(`${implementation}: ${title}`, () => {}) },
  );
  testIntegration(named, {
    ...subject,
    time: 'real',
    secrets: [key.secret],
    start: () => ({
      integration: (run) => integrationOf(run, { server: { host, port }, key, fudge: 1, deadline: 1_000 }),
      async remote() {
        const records = await server.transfer();
        return records
          .filter(({ name, type }) => name !== zone && name !== `ns1.${zone}` && type !== 'SOA')
          .map(({ name, type, value }) => wordsOf(name, type, value));
      },
    }),
  });
}
