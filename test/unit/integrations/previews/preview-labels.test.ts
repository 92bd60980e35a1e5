import test from 'ava';
import { manifestDigest, numberOf, sourceLabel, sourceOf } from '../../../../integrations/previews/preview-labels.ts';

test('a source is a label value, and two sources differ', (t) => {
  const [one, other] = ['acme/shop', 'acme/api'].map((repository) => sourceOf({ host: 'github.com', repository }));
  t.regex(one ?? '', /^[0-9a-f]{40}$/);
  t.not(one, other);
});

test('the order of members does not change a manifest', (t) => {
  t.is(manifestDigest({ a: 1, b: { c: 1, d: 2 } }), manifestDigest({ b: { d: 2, c: 1 }, a: 1 }));
});

for (const number of ['', '0', '-1', '1e3', '99999999999999999999', '1 '])
  test(`a label with the number ${JSON.stringify(number)} marks no preview`, (t) => {
    const labels = { [sourceLabel]: 's', 'previews.se.quencer.io/number': number };
    t.is(numberOf({ apiVersion: '', kind: '', metadata: { name: 'x', labels }, spec: {} }, 's'), undefined);
  });
