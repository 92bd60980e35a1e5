import test from 'ava';
import fc from 'fast-check';
import { requestBody } from '../../../../../sdk/client/http/request-body.ts';

const types = ['application/json', 'application/json-patch+json', 'application/apply-patch+yaml'];

test('a body is the JSON of its value, whatever its type', (t) => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), fc.constantFrom(...types, undefined), (value, type) => {
      t.deepEqual(JSON.parse(requestBody(value, type)), JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('a JSON patch is written as Go writes it, whose bytes the server compares', (t) => {
  const value = 'a & b < c > d \u2028\u2029 \u007f';
  t.is(requestBody(value, 'application/json-patch+json'), '"a \\u0026 b \\u003c c \\u003e d \\u2028\\u2029 \u007f"');
  t.is(requestBody(value), `"${value}"`);
});

test('an apply patch holds no control character and no half of a surrogate pair', (t) => {
  const type = 'application/apply-patch+yaml';
  t.is(requestBody('\u007f\u0080\u0085\u00a0\u2028\uffff', type), '"\\u007f\\u0080\\u0085\u00a0\\u2028\\uffff"');
  t.is(requestBody('\ud800 \udc00\\ud800 😀', type), '"\ufffd \ufffd\\\\ud800 😀"');
});
