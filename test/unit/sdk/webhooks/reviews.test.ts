import test from 'ava';
import {
  admissionResponse,
  boundedWarnings,
  ReviewError,
  readAdmissionReview,
  readConversionReview,
} from '../../../../sdk/webhooks/reviews.ts';
import { aConversion, aReview, aSite } from './a-site.ts';

const request = readAdmissionReview(aReview(aSite()));

test('mistakes become a status as API servers write it: message, code, reason, and a cause for each', (t) => {
  const response = admissionResponse(request, {
    errors: [
      { field: 'spec.hosts[0]', message: 'must be a DNS name' },
      { field: 'spec.replicas', message: 'is missing', reason: 'FieldValueRequired' },
    ],
  });
  t.deepEqual(response, {
    uid: 'r1',
    allowed: false,
    status: {
      status: 'Failure',
      code: 422,
      reason: 'Invalid',
      message: 'Site.example.com "shop" is invalid: [spec.hosts[0]: must be a DNS name, spec.replicas: is missing]',
      details: {
        name: 'shop',
        group: 'example.com',
        kind: 'Site',
        causes: [
          { reason: 'FieldValueInvalid', message: 'must be a DNS name', field: 'spec.hosts[0]' },
          { reason: 'FieldValueRequired', message: 'is missing', field: 'spec.replicas' },
        ],
      },
    },
  });
});

test('a refusal without a field is Forbidden; warnings go with either answer', (t) => {
  t.deepEqual(admissionResponse(request, { denied: 'not on Fridays', warnings: ['soon gone'] }), {
    uid: 'r1',
    allowed: false,
    status: { status: 'Failure', code: 403, reason: 'Forbidden', message: 'not on Fridays' },
    warnings: ['soon gone'],
  });
  t.deepEqual(admissionResponse(request, { warnings: ['soon gone'] }), {
    uid: 'r1',
    allowed: true,
    warnings: ['soon gone'],
  });
});

test('texts are bounded: what a handler makes of a tenant’s object cannot fill an answer', (t) => {
  const many = Array.from({ length: 1000 }, (_, index) => ({ field: `spec.a${index}`, message: 'x'.repeat(5000) }));
  const { status } = admissionResponse(request, { errors: many });
  const { message, details } = status as { message: string; details: { causes: { message: string }[] } };
  t.is(details.causes.length, 64);
  t.is(details.causes[0]!.message.length, 1024);
  t.regex(message, /, and 936 more\]$/);
});

test('warnings are cut as API servers cut them: 256 characters each, 4096 together, one line, none empty', (t) => {
  t.deepEqual(boundedWarnings(['', 'a\nb', 'c']), ['a b', 'c']);
  t.is(boundedWarnings(['ä'.repeat(300)])[0], 'ä'.repeat(256));
  t.is(Array.from(boundedWarnings(['😀'.repeat(300)])[0]!).length, 256);
  t.is(boundedWarnings(Array.from({ length: 50 }, () => 'x'.repeat(300))).length, 16);
});

for (const [what, body] of [
  ['nothing', undefined],
  ['a text', 'x'],
  ['another kind', { apiVersion: 'admission.k8s.io/v1', kind: 'Pod' }],
  ['an older version', { ...aReview(aSite()), apiVersion: 'admission.k8s.io/v1beta1' }],
  ['no request', { ...aReview(aSite()), request: [] }],
  ['no uid', aReview(aSite(), { uid: '' })],
  ['no kind', aReview(aSite(), { kind: null })],
  ['another operation', aReview(aSite(), { operation: 'CONNECT' })],
  ['no object', aReview(undefined)],
  ['an object without metadata', aReview({})],
  ['an update of nothing', aReview(aSite(), { operation: 'UPDATE' })],
] as const)
  test(`${what} is not an AdmissionReview`, (t) => {
    t.throws(() => readAdmissionReview(body), { instanceOf: ReviewError });
  });

test('what is not a ConversionReview is refused', (t) => {
  t.is(readConversionReview(aConversion([aSite()], 'example.com/v1')).uid, 'c1');
  for (const body of [
    undefined,
    aReview(aSite()),
    aConversion([{}], 'example.com/v1'),
    { ...aConversion([], 'x'), request: { uid: 'c1', desiredAPIVersion: 'x' } },
  ])
    t.throws(() => readConversionReview(body), { instanceOf: ReviewError });
});
