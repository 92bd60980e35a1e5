import test from 'ava';
import type { AcmeCertificateOptions } from '../../../../integrations/acme/certificate.ts';
import { checkedAcmeOptions } from '../../../../integrations/acme/options.ts';
import { createAuthority } from '../../../cluster/pki/certificate.ts';
import { accountKey } from './fixtures/subject.ts';

const right: AcmeCertificateOptions = { directory: 'https://ca.example.test/dir', accountKey, agreeToTerms: true };
const refused = (more: object) => () => checkedAcmeOptions({ ...right, ...more });

test('what is left out has its default', (t) => {
  t.like(checkedAcmeOptions(right), { revoke: false, retryInterval: 900_000, limits: { rate: 5, burst: 5 } });
});

test('all options together are taken', (t) => {
  const { certificate } = createAuthority(Date.now());
  const checked = checkedAcmeOptions({
    ...right,
    ...{
      email: 'ops@example.test',
      externalAccount: { kid: 'kid-1', hmacKey: 'a2V5LW9mLXRoZS1hdXRob3JpdHk' },
      ca: certificate,
    },
    ...{
      nameServers: ['192.0.2.53', '192.0.2.53:5353', '2001:db8::53', '[2001:db8::53]:53'],
      revoke: true,
      retryInterval: 1_000,
    },
    ...{
      driftInterval: Infinity,
      renewalInterval: Infinity,
      deadline: 1,
      concurrency: 1,
      limits: { rate: 1, burst: 1 },
    },
  });
  t.is(checked.driftSchedule.wait('uid'), undefined);
  t.is(checked.renewals.wait('uid'), undefined);
});

test('a wrong option is refused by its name, and keys are not shown', (t) => {
  for (const [more, message] of [
    [{ directory: 'ftp://ca' }, /directory must be an address/],
    [{ accountKey: 'secret' }, /^(?!.*secret).*accountKey must be a private key as PEM/],
    [{ agreeToTerms: false }, /agreeToTerms must be true/],
    [{ email: 'none' }, /email must be one address/],
    [{ externalAccount: { kid: 'a' } }, /externalAccount.hmacKey must be/],
    [{ externalAccount: { kid: 'a', hmacKey: 'secret==' } }, /^(?!.*secret).*externalAccount.hmacKey/],
    [{ ca: 'none' }, /ca must be certificates as PEM/],
    [{ ca: 'none', fetch: async () => new Response() }, /ca must be left out if fetch is given/],
    [{ fetch: 7 }, /fetch must be a function/],
    [{ revoke: 'yes' }, /revoke must be true or false/],
    [{ retryInterval: 0 }, /retryInterval must be a whole number/],
    [{ driftInterval: 0 }, /driftInterval must be a positive number/],
    [{ renewalInterval: -1 }, /renewals: driftInterval must be a positive number/],
    [{ deadline: 1.5 }, /deadline must be a whole number/],
    [{ concurrency: 0 }, /concurrency must be a whole number/],
    [{ acountKey: accountKey }, /acountKey/],
  ] as const)
    t.throws(refused(more), { instanceOf: TypeError, message });
});
