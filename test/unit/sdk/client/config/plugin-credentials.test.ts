import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { pluginCredentials } from '../../../../../sdk/client/config/plugin-credentials.ts';
import { UserError } from '../../../../../sdk/errors.ts';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';
import { aFolder } from '../../../a-folder.ts';
import { renewed, usual } from '../usual-options.ts';

/** A credential plug-in that counts its runs and prints the content of `answer.json`. */
async function setUp(t: ExecutionContext, answer: string) {
  const folder = await aFolder(t, { 'answer.json': answer, runs: '', plugin: '' });
  const script = `#!/bin/sh\necho run >> ${folder}/runs\ncat ${folder}/answer.json\n`;
  const { plugin } = { plugin: join(await aFolder(t, { plugin: script }), 'plugin') };
  const clock = createManualClock();
  const credentials = pluginCredentials({
    selected: {
      context: 'c',
      namespace: undefined,
      cluster: { server: 'https://a' },
      user: { exec: { command: plugin } },
    },
    tls: { ca: 'CA' },
    headers: { 'impersonate-user': 'jane' },
    clock,
  });
  const runs = async () => (await readFile(join(folder, 'runs'), 'utf8')).split('\n').length - 1;
  const setAnswer = (text: string) => writeFile(join(folder, 'answer.json'), text);
  return { credentials, clock, runs, setAnswer };
}

const statusOf = (status: object) =>
  JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status });

test('an exec plug-in gives our identity, by token', async (t) => {
  const { credentials, runs } = await setUp(t, statusOf({ token: 'one' }));
  t.is(await runs(), 0);
  t.deepEqual(await credentials(usual), {
    headers: { 'impersonate-user': 'jane', authorization: 'Bearer one' },
    tls: { ca: 'CA' },
  });
  await credentials(usual);
  t.is(await runs(), 1);
});

test('an exec plug-in gives our identity, by certificate', async (t) => {
  const { credentials } = await setUp(t, statusOf({ clientCertificateData: 'CERT', clientKeyData: 'KEY' }));
  t.deepEqual((await credentials(usual)).tls, { ca: 'CA', cert: 'CERT', key: 'KEY' });
});

test('after a 401 the plug-in is run again, once for all calls that were refused', async (t) => {
  const { credentials, clock, runs, setAnswer } = await setUp(t, statusOf({ token: 'one' }));
  await credentials(usual);
  await setAnswer(statusOf({ token: 'two' }));
  await clock.advance(2_000);
  const answers = await Promise.all([credentials(renewed), credentials(renewed), credentials(usual)]);
  t.deepEqual(
    answers.map(({ headers }) => headers.authorization),
    ['Bearer two', 'Bearer two', 'Bearer two'],
  );
  t.is(await runs(), 2);
});

test('a plug-in whose credentials have expired is run again', async (t) => {
  const expirationTimestamp = new Date(0).toISOString();
  const { credentials, clock, runs } = await setUp(t, statusOf({ token: 'one', expirationTimestamp }));
  await credentials(usual);
  await clock.advance(10_000);
  await credentials(usual);
  t.is(await runs(), 2);
});

test('a plug-in that fails is named, and asked again next time', async (t) => {
  const { credentials, setAnswer } = await setUp(t, 'not JSON');
  const error = await t.throwsAsync(async () => credentials(usual), {
    instanceOf: UserError,
    message: /credential plug-in ".*plugin" failed/,
  });
  t.is(error.code, 'E#1007');
  await setAnswer(statusOf({ token: 'two' }));
  t.is((await credentials(usual)).headers.authorization, 'Bearer two');
});

test('a plug-in that gives neither a token nor a certificate has failed: no request is sent without an identity', async (t) => {
  const { credentials } = await setUp(t, statusOf({}));
  const error = await t.throwsAsync(async () => credentials(usual), { instanceOf: UserError, message: /gave neither/ });
  t.is(error?.code, 'E#1007');
});
