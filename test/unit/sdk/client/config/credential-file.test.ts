import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { createCredentialFile } from '../../../../../sdk/client/config/credential-file.ts';
import { UserError } from '../../../../../sdk/errors.ts';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';
import { aFolder } from '../../../a-folder.ts';
import { renewed, usual } from '../usual-options.ts';

test('a file is read again after a minute, or at once when its content was refused', async (t) => {
  const path = join(await aFolder(t, { token: 'one' }), 'token');
  const clock = createManualClock();
  const file = createCredentialFile(path, 'tokenFile', clock);
  t.is(await file.read(usual), 'one');
  await writeFile(path, 'two');
  await clock.advance(59_999);
  t.is(await file.read(usual), 'one');
  await clock.advance(1);
  t.is(await file.read(usual), 'two');
  await writeFile(path, 'three');
  t.is(await file.read(renewed), 'three');
});

test('a file that becomes unreadable keeps what it held', async (t) => {
  const path = join(await aFolder(t, { token: 'one' }), 'token');
  const file = createCredentialFile(path, 'tokenFile', createManualClock());
  await file.read(usual);
  await rm(path);
  t.is(await file.read(renewed), 'one');
});

test('a file that was never readable is an error that names it', async (t) => {
  const path = join(await aFolder(t, {}), 'token');
  const reading = createCredentialFile(path, 'tokenFile', createManualClock()).read(usual);
  const error = await t.throwsAsync(reading, { instanceOf: UserError });
  t.is(error.code, 'E#1006');
  t.true(error.message.includes(path));
});
