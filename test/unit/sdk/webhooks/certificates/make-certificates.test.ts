import test from 'ava';
import { makeCertificates } from '../../../../../sdk/webhooks/certificates/make-certificates.ts';
import { hostsOf } from '../../../../../sdk/webhooks/certificates/stored-certificates.ts';
import { aHeld, making } from './a-held.ts';

test('names that a certificate has stay in it: replicas with different ones do not take turns', async (t) => {
  const held = await aHeld();
  const other = await makeCertificates('issue', making(1, { held, hosts: ['127.0.0.1'] }));
  t.deepEqual(hostsOf(other), ['127.0.0.1', 'sites.default.svc']);
});

test('authorities are trusted until they expire, and no more than four at a time', async (t) => {
  let held = await aHeld();
  for (const days of [201, 202, 203, 204, 205]) held = await makeCertificates('rotate', making(days, { held }));
  t.is(held.authorities.length, 4);
  const late = await makeCertificates('rotate', making(503, { held }));
  t.is(late.authorities.length, 3);
  const replaced = await makeCertificates('replace', making(600, { last: held }));
  t.is(replaced.authorities.length, 1);
});

test('a Secret that was deleted is replaced, and those before it stay trusted', async (t) => {
  const last = await aHeld();
  const held = await makeCertificates('replace', making(1, { last }));
  t.deepEqual(
    held.authorities.map(({ subject }) => subject),
    [held.authorities[0]!.subject, last.authorities[0]!.subject],
  );
  t.true(held.server.verify(held.authorities[0]!.publicKey));
});
