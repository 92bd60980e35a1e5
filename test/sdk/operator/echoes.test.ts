import test from 'ava';
import { Echoes } from '../../../sdk/operator/echoes.ts';

test('a change of others asks for a run, our own does not', (t) => {
  const echoes = new Echoes();
  echoes.wrote('5');
  t.false(echoes.asks('shop', '5'));
  t.true(echoes.asks('shop', '6'));
  t.true(echoes.asks('shop', undefined));
});

test('a change that overtakes the answer to its write is decided when the run has ended', (t) => {
  const echoes = new Echoes();
  echoes.begin('shop');
  t.false(echoes.asks('shop', '5'));
  t.true(echoes.asks('other', '6'), 'other keys are not held up');
  echoes.wrote('5');
  t.false(echoes.end('shop'));
});

test('a foreign change between two of ours is not lost', (t) => {
  const echoes = new Echoes();
  echoes.begin('shop');
  echoes.wrote('5');
  for (const version of ['5', '6', '7']) echoes.asks('shop', version);
  echoes.wrote('7');
  t.true(echoes.end('shop'));
  t.false(echoes.end('shop'), 'and told once');
});

test('memory is bounded: what was written long ago is taken for somebody else’s', (t) => {
  const echoes = new Echoes();
  for (let version = 0; version <= 16_384; version += 1) echoes.wrote(String(version));
  t.true(echoes.asks('shop', '0'));
  t.false(echoes.asks('shop', '1'));
});
