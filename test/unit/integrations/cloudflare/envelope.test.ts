import test from 'ava';
import { hasErrorCode, isObject, reasonOf, resultOf } from '../../../../integrations/cloudflare/envelope.ts';

const refusal = {
  success: false,
  errors: [
    { code: 1013, message: 'taken' },
    { code: 7, message: 'b' },
  ],
  result: null,
};

test('errors are reported with their codes, three at most', (t) => {
  t.is(reasonOf(refusal), '1013 taken, 7 b');
  t.is(reasonOf({ errors: Array.from({ length: 9 }, () => ({ code: 1, message: 'a' })) }), '1 a, 1 a, 1 a');
  for (const body of [undefined, null, [], {}, { errors: 'x' }, { errors: [] }, { errors: [null] }])
    t.is(reasonOf(body), undefined);
});

test('a code is looked for in the errors alone', (t) => {
  t.true(hasErrorCode(refusal, 1013));
  t.false(hasErrorCode(refusal, 1022));
  t.false(hasErrorCode({ code: 1013 }, 1013));
});

test('the result of a success is returned, and nothing else trusted', (t) => {
  t.deepEqual(resultOf({ success: true, result: [1] }, 'x'), [1]);
  for (const body of [refusal, undefined, 'ok', { success: 'true', result: 1 }])
    t.throws(() => resultOf(body, 'list'), { message: /^Cloudflare: list: returned no success: / });
  t.true(isObject({}));
  t.false(isObject(null));
});
