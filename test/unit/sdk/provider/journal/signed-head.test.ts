import { randomBytes } from 'node:crypto';
import test from 'ava';
import { createSeal, type Seal } from '../../../../../sdk/provider/host/seal.ts';
import { headOf } from '../../../../../sdk/provider/journal/signed-head.ts';

const name = 'external.se.quencer.io/DNS';

/** Returns a seal that counts what it verifies. */
function counting() {
  const seal = createSeal('cluster', [randomBytes(32)]);
  const counted = { seal: seal as Seal, verified: 0 };
  const verify: Seal['verify'] = (...of) => {
    counted.verified += 1;
    return seal.verify(...of);
  };
  counted.seal = { ...seal, verify };
  return counted;
}

const signed = (seal: Seal, text: string) => JSON.stringify({ ...JSON.parse(text), seal: seal.sign(text) });

test('a head is verified once for each state of its object', (t) => {
  const counted = counting();
  const annotations = { [name]: signed(counted.seal, '{"token":1}') };
  t.is(headOf(counted.seal, annotations, name)?.verification, 'valid');
  t.is(headOf(counted.seal, annotations, name)?.verification, 'valid');
  t.is(counted.verified, 1);
  t.is(headOf(counted.seal, { ...annotations }, name)?.verification, 'valid');
  t.is(counted.verified, 2);
});

test('a changed text, another annotation and another key are verified by themselves', (t) => {
  const [first, second] = [counting(), counting()];
  const annotations: Record<string, string> = { [name]: signed(first.seal, '{"token":1}') };
  t.is(headOf(first.seal, annotations, name)?.verification, 'valid');
  t.is(headOf(second.seal, annotations, name)?.verification, 'unknown');
  annotations.other = annotations[name]!.replace('1', '2');
  t.is(headOf(first.seal, annotations, 'other')?.verification, 'invalid');
  annotations[name] = annotations.other;
  t.is(headOf(first.seal, annotations, name)?.verification, 'invalid');
});

test('what is no object has no head; what is no JSON throws', (t) => {
  const { seal } = counting();
  for (const text of ['[]', 'null', '1', '"a"']) t.is(headOf(seal, { [name]: text }, name), undefined, text);
  t.throws(() => headOf(seal, { [name]: '{' }, name), { instanceOf: SyntaxError });
});
