import test from 'ava';
import { createSeal, noSeal } from '../../../../../sdk/provider/host/seal.ts';

const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

test('what a key has signed it verifies, and nothing else', (t) => {
  const seal = createSeal('cluster', [first]);
  const signature = seal.sign('text')!;
  t.is(seal.verify('text', signature), 'valid');
  t.is(seal.verify('other', signature), 'invalid');
  t.is(seal.verify('text', `${signature}A`), 'invalid');
  t.is(seal.verify('text', signature.split('.')[0]!), 'invalid');
});

test('the newest key signs, and all verify: one that is not known is told apart from a forgery', (t) => {
  const rotated = createSeal('cluster', [first, second]);
  const before = createSeal('cluster', [first]).sign('text')!;
  t.is(rotated.verify('text', before), 'valid');
  t.is(createSeal('cluster', [second]).verify('text', rotated.sign('text')!), 'valid');
  t.is(createSeal('cluster', [first]).verify('text', rotated.sign('text')!), 'unknown');
  for (const nonsense of ['', '.', 'x.y.z']) t.is(rotated.verify('text', nonsense), 'unknown');
});

test('without a key nothing is signed, and nothing is known', (t) => {
  t.is(noSeal.sign('text'), undefined);
  t.is(noSeal.verify('text', createSeal('cluster', [first]).sign('text')!), 'unknown');
});
