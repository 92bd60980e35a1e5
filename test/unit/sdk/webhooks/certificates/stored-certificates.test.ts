import test from 'ava';
import { makeCertificates } from '../../../../../sdk/webhooks/certificates/make-certificates.ts';
import {
  type CertificateState,
  certificatesIn,
  hostsOf,
  parseCertificates,
  planCertificates,
  secretTextOf,
} from '../../../../../sdk/webhooks/certificates/stored-certificates.ts';
import { aHeld, making, start } from './a-held.ts';

const day = 86_400_000;
const stateAt = (days: number, more: Partial<CertificateState> = {}): CertificateState => ({
  now: start + days * day,
  hosts: ['sites.default.svc'],
  trusted: true,
  earlyUntil: 0,
  ...more,
});

test('what is written is read again', async (t) => {
  const held = await aHeld();
  const again = parseCertificates(secretTextOf(held));
  t.deepEqual(again && secretTextOf(again), secretTextOf(held));
  t.deepEqual(hostsOf(held), ['sites.default.svc']);
});

test('what is missing, torn or of something else is not trusted', async (t) => {
  const [text, other] = [secretTextOf(await aHeld()), secretTextOf(await aHeld())];
  t.is(parseCertificates({}), undefined);
  for (const name of Object.keys(text)) {
    t.is(parseCertificates({ ...text, [name]: '' }), undefined, `without ${name}`);
    t.is(parseCertificates({ ...text, [name]: text[name]!.slice(0, 100) }), undefined, `with half of ${name}`);
    t.is(parseCertificates({ ...text, [name]: other[name]! }), undefined, `with ${name} of another`);
  }
  t.deepEqual(certificatesIn('-----BEGIN CERTIFICATE-----'.repeat(10_000)), []);
});

test('both certificates are renewed after two thirds of their lives', async (t) => {
  const held = await aHeld();
  t.like(planCertificates(held, stateAt(0)), { action: 'keep' });
  t.is(Math.round((planCertificates(held, stateAt(0)).nextCheckAt - start) / day), 60);
  t.is(planCertificates(held, stateAt(61)).action, 'issue');
  t.is(planCertificates(held, stateAt(201)).action, 'issue', 'the server’s has expired');
  const renewed = await makeCertificates('issue', making(190, { held }));
  t.is(planCertificates(renewed, stateAt(199)).action, 'keep');
  t.is(planCertificates(renewed, stateAt(201)).action, 'rotate');
  t.is(planCertificates(renewed, stateAt(201, { trusted: false })).action, 'keep');
});

test('a new authority signs once it is trusted, or when there is no other way', async (t) => {
  const held = await makeCertificates('issue', making(201, { held: await aHeld() }));
  const rotated = await makeCertificates('rotate', making(201, { held }));
  t.is(rotated.authorities.length, 2);
  t.true(rotated.server.verify(held.authorities[0]!.publicKey), 'the former one still signs');
  t.is(planCertificates(rotated, stateAt(202, { trusted: false })).action, 'keep');
  t.is(planCertificates(rotated, stateAt(270, { trusted: false })).action, 'keep');
  t.is(planCertificates(rotated, stateAt(292, { trusted: false })).action, 'issue', 'the server’s has expired');
  t.is(planCertificates(rotated, stateAt(202)).action, 'issue');
  const signed = await makeCertificates('issue', making(202, { held: rotated }));
  t.true(signed.server.verify(rotated.authorities[0]!.publicKey));
  t.is(planCertificates(signed, stateAt(203)).action, 'keep');
});

test('nothing usable is replaced, and a host that is missing is added', async (t) => {
  const held = await aHeld();
  t.is(planCertificates(undefined, stateAt(0)).action, 'replace');
  t.is(planCertificates(held, stateAt(301)).action, 'replace');
  t.is(planCertificates(held, stateAt(-1)).action, 'replace', 'made by a clock that was wrong');
  const pause = stateAt(-1, { earlyUntil: start - day + 1_000 });
  t.deepEqual(planCertificates(held, pause), { action: 'keep', nextCheckAt: start - day + 1_000 }, 'not all the time');
  t.is(planCertificates(held, stateAt(-1 / 48)).action, 'keep', 'clocks may differ by an hour');
  const early = await makeCertificates('issue', making(100, { held }));
  t.is(planCertificates(early, stateAt(50)).action, 'issue', 'the server’s begins later');
  t.is(planCertificates(held, stateAt(0, { hosts: ['sites.default.svc', '::1'] })).action, 'issue');
});
