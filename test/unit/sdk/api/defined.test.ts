import test from 'ava';
import { defined } from '../../../../sdk/api/defined.ts';

test('members that are undefined are left out, and no others', (t) => {
  t.deepEqual(defined({ a: 0, b: undefined, c: null, d: false, e: '' }), { a: 0, c: null, d: false, e: '' });
  t.false('b' in defined({ b: undefined }));
});
