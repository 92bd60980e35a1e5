import test from 'ava';
import { testIntegration } from '../../../compliance/index.ts';
import { createMemoryServer } from './fixtures/a-server.ts';
import { integrationOf, subject } from './fixtures/subject.ts';

const spec = (wish: object) => ({ integrations: { 's3-bucket': wish } });

for (const [title, hasUsers] of [
  ['with users', true],
  ['without users', false],
] as const)
  testIntegration(
    Object.assign((name: string, run: (context?: unknown) => Promise<void>) => test.serial(`${title}: ${name}`, run), {
      skip: (name: string) => test.serial.skip(`${title}: ${name}`, () => {}),
    }),
    {
      ...subject,
      edited: spec({ versioning: true, expireAfterDays: 3 }),
      start() {
        const server = createMemoryServer();
        const { buckets, users } = server;
        let spoils = 0;
        return {
          integration: (run) =>
            integrationOf(run, server, hasUsers ? {} : ({ users: undefined } as Parameters<typeof integrationOf>[2])),
          causeDrift() {
            spoils += 1;
            for (const [name, user] of users) if (spoils % 3 === 1) users.set(name, { ...user, bucket: '*' });
            for (const [name, bucket] of buckets) {
              if (spoils % 3 === 1) buckets.set(name, { ...bucket, versioning: !bucket.versioning });
              else if (spoils % 3 === 2) buckets.delete(name);
              else buckets.set(name, { ...bucket, expireAfterDays: 1_000 });
            }
          },
          remote: () => [
            ...[...buckets].map(([id, { versioning, expireAfterDays }]) => ({
              id: `bucket ${id}`,
              what: `bucket, ${JSON.stringify({ versioning, expireAfterDays })}`,
            })),
            ...[...users].map(([id, { bucket, keys }]) => ({
              id: `user ${id}`,
              what: `user of ${bucket === '' ? 'nothing' : bucket === id ? 'its bucket' : 'another'}, ${keys.length} keys`,
            })),
          ],
        };
      },
    },
  );
