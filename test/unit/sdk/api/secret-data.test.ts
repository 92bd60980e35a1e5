import test from 'ava';
import { withFoldedStringData } from '../../../../sdk/api/secret-data.ts';

test('stringData becomes data, over what is there', (t) => {
  const secret = { data: { a: 'MQ==', b: 'Mg==' }, stringData: { b: 'ü', c: '' } };
  t.deepEqual(withFoldedStringData(secret) as unknown, { data: { a: 'MQ==', b: 'w7w=', c: '' } });
});

test('anything without stringData is returned as it is', (t) => {
  const secret = { data: { a: 'MQ==' } };
  t.is(withFoldedStringData(secret), secret);
});
