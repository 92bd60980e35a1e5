import test from 'ava';
import { newPassword, scramVerifier } from '../../../../integrations/postgres/scram.ts';

test('a password is new each time, and goes into a URI as it is', (t) => {
  const passwords = Array.from({ length: 100 }, newPassword);
  t.is(new Set(passwords).size, 100);
  t.true(passwords.every((password) => /^[\w-]{32}$/.test(password) && encodeURIComponent(password) === password));
});

test('a verifier is what PostgreSQL 15 stores of the password', (t) => {
  const stored =
    'SCRAM-SHA-256$4096:BippkcPAQs/dq9XYxrxFhQ==$rm6Ds7M+I41JgxTYOuqCpusitougpQDX6SuCyfDEVw0=:knt9Ux/mCqCMYQSoQNYpp4hXhKAIqgUu50P2/OW3+IU=';
  const salt = Buffer.from(stored.split(/[:$]/)[2]!, 'base64');
  t.is(scramVerifier('pencil', salt), stored);
});
