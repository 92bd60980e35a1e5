import test from 'ava';
import { encodingsOf } from '../../../sdk/secret-encodings.ts';

test('a secret comes first, as it is, however short; short encodings are left out', (t) => {
  t.deepEqual([...encodingsOf('ab')], [['ab', 'as it is']]);
});

test('each encoding is named', (t) => {
  const encodings = encodingsOf('a<b"c/é');
  const named = (words: string): readonly string[] =>
    [...encodings].filter(([, one]) => one === words).map(([form]) => form);
  t.true(named('in hex').includes('613c6222632fc3a9'));
  t.true(named('in HTML').includes('a&lt;b&quot;c/é'));
  t.true(named('in JSON').includes('a\\u003cb\\"c/é'));
  t.true(named('URL-encoded').includes('a%3Cb%22c%2F%C3%A9'));
  t.true(named('in base64').includes(Buffer.from('a<b"c/é').toString('base64url').slice(0, 10)));
});
