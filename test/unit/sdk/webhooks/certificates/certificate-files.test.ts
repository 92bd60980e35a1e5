import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { certificateFiles } from '../../../../../sdk/webhooks/certificates/certificate-files.ts';
import type { CertificatePair } from '../../../../../sdk/webhooks/certificates/certificate-source.ts';
import { aFolder } from '../../../a-folder.ts';
import { aHeld } from './a-held.ts';

const installation = { name: 'sites', service: { namespace: 'default', name: 'sites' }, webhooks: [] };

/** Writes files as a kubelet mounts a Secret: a folder for each version, and the link `..data` that is swapped. */
function mount(folder: string, version: string, { certificate, key }: CertificatePair): void {
  mkdirSync(join(folder, version));
  writeFileSync(join(folder, version, 'tls.crt'), certificate);
  writeFileSync(join(folder, version, 'tls.key'), key);
  symlinkSync(version, join(folder, '..data_tmp'));
  renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
}

test('a pair is served when the link of a mounted Secret is swapped, each once, and none that does not fit', async (t) => {
  const folder = await aFolder(t);
  const [first, second, third] = (await Promise.all([aHeld(), aHeld(), aHeld()])).map(({ pair }) => pair);
  mount(folder, '..1', first!);
  for (const file of ['tls.crt', 'tls.key']) symlinkSync(join('..data', file), join(folder, file));
  const told: string[] = [];
  const problem = Promise.withResolvers<void>();
  const logger = {
    error: (about: { reason: string }) => {
      told.push(about.reason);
      problem.resolve();
    },
  };
  const served: CertificatePair[] = [];
  let arrived = Promise.withResolvers<void>();
  const stop = new AbortController();
  const running = certificateFiles({ folder, logger: logger as never }).run(stop.signal, {
    installation,
    onPair: (pair) => {
      served.push(pair);
      arrived.resolve();
    },
  });
  await arrived.promise;
  mount(folder, '..2', { certificate: second!.certificate, key: first!.key });
  await problem.promise;
  arrived = Promise.withResolvers();
  mount(folder, '..3', third!);
  await arrived.promise;
  stop.abort();
  await running;
  t.deepEqual(served, [first!, third!]);
  t.true(told.includes('the key is not that of the certificate'));
});

test('a folder that is not there ends it with an error', async (t) => {
  const source = certificateFiles({ folder: join(await aFolder(t), 'none') });
  await t.throwsAsync(source.run(new AbortController().signal, { installation, onPair: () => t.fail() }), {
    code: 'ENOENT',
  });
});
