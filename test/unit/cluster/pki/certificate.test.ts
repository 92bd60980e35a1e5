import { createPrivateKey, X509Certificate } from 'node:crypto';
import test from 'ava';
import { createAuthority } from '../../../cluster/pki/certificate.ts';

const authority = createAuthority(Date.UTC(2026, 0, 1));
const own = new X509Certificate(authority.certificate);

// One in 256 secrets begins with a zero byte; without it the key is a byte too short.
test('certificates fit their keys, whatever these are, and their authority vouches for them', (t) => {
  t.true(own.ca);
  for (let made = 0; made < 600; made += 1) {
    const { certificate, key } = authority.issue(['localhost', '127.0.0.1']);
    const read = new X509Certificate(certificate);
    t.true(read.checkPrivateKey(createPrivateKey(key)) && read.checkIssued(own) && read.verify(own.publicKey));
  }
});

test('a server has its hosts, a user has groups, and both ten years', (t) => {
  const server = new X509Certificate(authority.issue(['localhost', '127.0.0.1']).certificate);
  t.is(server.checkHost('localhost'), 'localhost');
  t.is(server.checkIP('127.0.0.1'), '127.0.0.1');
  t.is(server.checkHost('example.com'), undefined);
  const user = new X509Certificate(authority.issueFor({ name: 'jane', groups: ['devs', 'ops'] }).certificate);
  t.is(user.subject, 'O=devs\nO=ops\nCN=jane');
  t.is(user.validTo, 'Dec 30 00:00:00 2035 GMT');
});
