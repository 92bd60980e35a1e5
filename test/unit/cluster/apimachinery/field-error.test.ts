import test from 'ava';
import {
  bodyOf,
  causeOf,
  type FieldError,
  goJson,
  invalidStatus,
  messageOf,
  notSupported,
  quoted,
  sortedJson,
} from '../../../cluster/apimachinery/field-error.ts';

const bodies: readonly (readonly [FieldError, string])[] = [
  [{ type: 'Required', field: 'a' }, 'Required value'],
  [{ type: 'Required', field: 'a', detail: 'why' }, 'Required value: why'],
  [{ type: 'Invalid', field: 'a', value: -1, detail: 'too small' }, 'Invalid value: -1: too small'],
  [{ type: 'Invalid', field: 'a', value: null, detail: 'none' }, 'Invalid value: null: none'],
  [{ type: 'Invalid', field: 'a', detail: 'bare' }, 'Invalid value: bare'],
  [{ type: 'Invalid', field: 'a', value: { b: '<' }, detail: 'x' }, 'Invalid value: {"b":"\\u003c"}: x'],
  [{ type: 'Forbidden', field: 'a', detail: 'no' }, 'Forbidden: no'],
  [{ type: 'Duplicate', field: 'a', value: 'x' }, 'Duplicate value: "x"'],
  [
    { type: 'TooLong', field: 'a', value: 'ignored', detail: 'may not be more than 2 bytes' },
    'Too long: may not be more than 2 bytes',
  ],
  [
    { type: 'TooMany', field: 'a', value: 6, detail: 'must have at most 5 items' },
    'Too many: 6: must have at most 5 items',
  ],
  [{ type: 'NotFound', field: 'a', value: 'v' }, 'Not found: "v"'],
  [{ type: 'TypeInvalid', field: 'a', value: 'string', detail: 'x' }, 'Invalid value: "string": x'],
  [notSupported('a', 'q', ['x', 'y']), 'Unsupported value: "q": supported values: "x", "y"'],
];

for (const [error, body] of bodies) {
  test(`a ${error.type} error reads ${body}`, (t) => {
    t.is(bodyOf(error), body);
    t.is(messageOf(error), `a: ${body}`);
    t.deepEqual(causeOf(error), { reason: `FieldValue${error.type}`, message: body, field: 'a' });
  });
}

test('strings are quoted as Go quotes them', (t) => {
  t.is(quoted('a"b\\c'), '"a\\"b\\\\c"');
  t.is(quoted('a\u0001b\n\u007f'), '"a\\x01b\\n\\x7f"');
  t.is(quoted('é€😀'), '"é€😀"');
  t.is(quoted('\u200b'), '"\\u200b"');
});

test('JSON of maps has sorted keys, JSON of structs keeps its order', (t) => {
  t.is(sortedJson({ b: 1, a: { d: 1, c: 2 } }), '{"a":{"c":2,"d":1},"b":1}');
  t.is(goJson({ b: 1, a: '&' }), '{"b":1,"a":"\\u0026"}');
});

test('an invalid object of one error has no brackets, of several has, and repeated texts stand once', (t) => {
  const one = { type: 'Required', field: 'spec.x' } as const;
  const kind = { group: 'apps', kind: 'Deployment' };
  t.is(invalidStatus(kind, 'd', [one]).message, 'Deployment.apps "d" is invalid: spec.x: Required value');
  const twice = invalidStatus(kind, 'd', [one, one, { type: 'Forbidden', field: 'a', detail: 'no' }]);
  t.is(twice.message, 'Deployment.apps "d" is invalid: [spec.x: Required value, a: Forbidden: no]');
  t.is(twice.details?.causes?.length, 3);
});

test('an invalid object without group and name leaves both out of the details', (t) => {
  const { message, details, code } = invalidStatus({ group: '', kind: '' }, '', [{ type: 'Required', field: 'patch' }]);
  t.is(message, ' "" is invalid: patch: Required value');
  t.deepEqual(Object.keys(details ?? {}), ['causes']);
  t.is(code, 422);
});
