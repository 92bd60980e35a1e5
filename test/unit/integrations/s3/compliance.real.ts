import { DeleteBucketCommand, ListBucketsCommand } from '@aws-sdk/client-s3';
import test from 'ava';
import { type Subject, type TestFunction, testIntegration } from '../../../compliance/index.ts';
import { caseNames } from '../../../compliance/subject/case-names.ts';
import { type RealServer, startRealServer } from './fixtures/a-real-server.ts';
import { integrationOf, subject } from './fixtures/subject.ts';

/** Servers that no life uses: some cases live two at once. */
const idle = await Promise.all([startRealServer(), startRealServer()]);
const all = [...idle];
test.after.always('the servers stop', () => Promise.all(all.map(({ versitygw }) => versitygw.close())));

const named = (clock: string): TestFunction =>
  Object.assign(
    (title: string, run: (context?: unknown) => Promise<void>) => test.serial(`${clock} time: ${title}`, run),
    { skip: (title: string) => test.serial.skip(`${clock} time: ${title}`, () => {}) },
  );

/** Deletes one bucket, as another client would. */
async function causeDrift({ s3 }: RealServer): Promise<void> {
  const { Buckets = [] } = await s3.send(new ListBucketsCommand({}));
  const Bucket = Buckets.find(({ Name }) => Name?.startsWith('ws-'))?.Name;
  if (Bucket !== undefined) await s3.send(new DeleteBucketCommand({ Bucket }));
}

const onServer = (options: { readonly driftInterval: number; readonly deadline: number }): Omit<Subject, 'time'> => ({
  ...subject,
  failures: { ...subject.failures, ambiguous: () => Object.assign(new Error('reset'), { code: 'ECONNRESET' }) },
  secrets: all.map(({ address }) => address.secretAccessKey),
  async start() {
    const server = idle.pop();
    if (server === undefined) throw new Error('more lives at once than servers');
    await server.empty();
    const { address, versitygw } = server;
    return {
      integration: (run) =>
        integrationOf(run, server.operations, { server: address, users: { endpoint: versitygw.iam }, ...options }),
      causeDrift: () => causeDrift(server),
      remote: () => server.things(),
      close: () => void idle.push(server),
    };
  },
});

/** Cases that take equal uids, or many lives: in virtual time they are faster. */
const swept = ['signal', 'crash', 'copied', 'forged', 'memory'] as const;
/** Cases of many lives whose faults are made by the kit, not by the server. */
const inMemory = ['ambiguous', 'throttled'] as const;
const others = caseNames.filter((name) => ![...swept, ...inMemory].some((one) => one === name));
const elsewhere = (names: readonly string[], where: string) =>
  Object.fromEntries(names.map((name) => [name, `proved ${where}`]));
const alike = elsewhere(inMemory, 'with the server in memory, which answers alike');

testIntegration(named('virtual'), {
  ...onServer({ driftInterval: 60_000, deadline: 15_000 }),
  cannot: { ...elsewhere(others, 'in real time'), ...alike },
});
testIntegration(named('real'), {
  ...onServer({ driftInterval: 2_000, deadline: 1_000 }),
  time: 'real',
  cannot: { ...elsewhere(swept, 'in virtual time'), ...alike },
});
