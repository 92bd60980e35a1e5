import test from 'ava';
import { OwnWriteFilter } from '../../../../../sdk/operator/controller/own-write-filter.ts';

test('a change of others asks for a run, our own does not', (t) => {
  const filter = new OwnWriteFilter();
  filter.wrote('5');
  t.false(filter.asks('shop', '5'));
  t.true(filter.asks('shop', '6'));
  t.true(filter.asks('shop', undefined));
});

test('a change that overtakes the answer to its write is decided when the run has ended', (t) => {
  const filter = new OwnWriteFilter();
  filter.begin('shop');
  t.false(filter.asks('shop', '5'));
  t.true(filter.asks('other', '6'), 'other keys are not held up');
  filter.wrote('5');
  t.false(filter.end('shop'));
});

test('a foreign change between two of ours is not lost', (t) => {
  const filter = new OwnWriteFilter();
  filter.begin('shop');
  filter.wrote('5');
  for (const version of ['5', '6', '7']) filter.asks('shop', version);
  filter.wrote('7');
  t.true(filter.end('shop'));
  t.false(filter.end('shop'), 'and told once');
});

test('memory is bounded: what was written long ago is taken for somebody else’s', (t) => {
  const filter = new OwnWriteFilter();
  for (let version = 0; version <= 16_384; version += 1) filter.wrote(String(version));
  t.true(filter.asks('shop', '0'));
  t.false(filter.asks('shop', '1'));
});
