import test from 'ava';
import fc from 'fast-check';
import { canonicalQuantity, parseQuantity, quantityText } from '../../../../cluster/apimachinery/formats/quantity.ts';

const written: readonly (readonly [string, string | undefined])[] = [
  ['0', '0'],
  ['0.5', '500m'],
  ['1000m', '1'],
  ['1500m', '1500m'],
  ['1000', '1k'],
  ['1024Mi', '1Gi'],
  ['1536Mi', '1536Mi'],
  ['0.5Gi', '512Mi'],
  ['1e3', '1e3'],
  ['1e-5', '10e-6'],
  ['1e30', '1e30'],
  ['1e100', '10e99'],
  ['1e9999', '1e9999'],
  ['12E', '12E'],
  ['-1.5', '-1500m'],
  ['.5', '500m'],
  ['1Xi', undefined],
  ['', undefined],
  ['abc', undefined],
  ['e', undefined],
  ['7Ei', '7Ei'],
  ['8Ei', '9223372036854775807'],
  ['-100Ei', '-9223372036854775807'],
  ['100E', '100E'],
  ['m', '0'],
  ['-Ki', '0'],
  ['.', '0'],
];

for (const [text, canonical] of written) {
  test(`the quantity "${text}" is ${canonical === undefined ? 'none' : `written ${canonical}`}`, (t) => {
    t.is(canonicalQuantity(text), canonical);
  });
}

test('an exponent takes no more time than its text, whatever its number', (t) => {
  for (const text of ['1e2147483647', '0e999999999', '1e-999999999', '-1E999999999', '1e99999999999999999999'])
    t.is(parseQuantity(text), undefined, text);
  t.is(canonicalQuantity('1e99999'), '1e99999');
});

test('the written form says the same amount and is written as itself', (t) => {
  const suffix = fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'e3', 'e31', 'e-4');
  fc.assert(
    fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), suffix, (amount, unit) => {
      const parsed = parseQuantity(`${amount}${unit}`)!;
      const text = quantityText(parsed);
      t.is(parseQuantity(text)?.nano, parsed.nano);
      t.is(canonicalQuantity(text), text);
    }),
  );
});
