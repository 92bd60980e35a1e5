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
  ['12E', '12E'],
  ['-1.5', '-1500m'],
  ['.5', '500m'],
  ['1Xi', undefined],
  ['', undefined],
  ['abc', undefined],
];

for (const [text, canonical] of written) {
  test(`the quantity "${text}" is ${canonical === undefined ? 'none' : `written ${canonical}`}`, (t) => {
    t.is(canonicalQuantity(text), canonical);
  });
}

test('the written form says the same amount and is written as itself', (t) => {
  const suffix = fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'e3');
  fc.assert(
    fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), suffix, (amount, unit) => {
      const parsed = parseQuantity(`${amount}${unit}`)!;
      const text = quantityText(parsed);
      t.is(parseQuantity(text)?.nano, parsed.nano);
      t.is(canonicalQuantity(text), text);
    }),
  );
});
