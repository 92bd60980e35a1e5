import test from 'ava';
import { base64Fault, canonicalBase64 } from '../../../../cluster/apimachinery/go/go-base64.ts';

/** Go 1.26's result for each text: the same bytes encoded again, or the index of its error. */
const texts: readonly (readonly [text: string, go: string | number])[] = [
  ['QQ==', 'QQ=='],
  ['QR==', 'QQ=='],
  ['Q\nQ==\n', 'QQ=='],
  ['QQ=\r\n=', 'QQ=='],
  ['QQ', 0],
  ['QQ=', 3],
  ['Q', 0],
  ['QUJD', 'QUJD'],
  ['QUJDRA==x', 8],
  ['QUJD\nRA==\n\n', 'QUJDRA=='],
  ['=', 0],
  ['Q===', 1],
  ['QQ=x', 2],
  ['QUJ=', 'QUI='],
  ['QUI=\n=', 5],
  ['QQ==QQ==', 4],
  ['é', 0],
  ['QUJ é', 3],
  ['\n', ''],
  ['QUJ\nD!', 5],
  ['Q\nU\nI', 2],
  ['QU-_', 2],
  ['QQ\n', 1],
];

for (const [text, go] of texts)
  test(`${JSON.stringify(text)} is read as Go reads it`, (t) => {
    t.is(base64Fault(text) ?? canonicalBase64(text), go);
  });
