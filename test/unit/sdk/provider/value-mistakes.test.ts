import test from 'ava';
import { mistakeInRefs, recordable } from '../../../../sdk/provider/value-mistakes.ts';

test('ids are objects, small, and not too many; the others are kept', (t) => {
  const big = { id: 'x'.repeat(16_384) };
  const large = Array.from({ length: 40 }, (_, index) => ({ id: index, text: 'x'.repeat(16_000) }));
  t.is(mistakeInRefs([{ id: 1 }]), undefined);
  t.is(mistakeInRefs('box-1'), 'refs must be an array of plain JSON objects; found "box-1"');
  t.is(mistakeInRefs([{ id: 1 }, 'box-1']), 'refs[1] must be a plain JSON object; found "box-1"');
  for (const cut of [{ id: 'a\ud83d' }, { of: [{ id: '\udc00' }] }])
    t.is(
      mistakeInRefs([cut]),
      'refs[0] must have well-formed texts; found half of a character, as of a text that was cut',
    );
  t.is(mistakeInRefs([big]), 'refs[0] must have at most 16384 characters as JSON; found 16393');
  t.regex(mistakeInRefs(large) ?? '', /^refs must have at most 524288 characters as JSON; found \d{6}$/);
  t.deepEqual(recordable([{ id: 1 }, 'box-1', big, { id: 2 }]), [{ id: 1 }, { id: 2 }]);
  t.is(mistakeInRefs(recordable(large)), undefined);
  t.is(recordable(large).length, 32);
  t.deepEqual(recordable('box-1'), []);
});
