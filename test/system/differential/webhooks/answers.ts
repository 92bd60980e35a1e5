import { type Behaviour, formsOfAnswers } from '../runner/hooks.ts';
import type { Scenario } from '../runner/scenario.ts';
import { hooked, map } from './hooked.ts';

/** Answers of every kind, valid and invalid. */
const answers: Readonly<Record<string, Behaviour>> = {
  allowed: {},
  'a denial': { response: { allowed: false } },
  'a message': { response: { allowed: false, status: { message: 'not this' } } },
  'a reason': { response: { allowed: false, status: { reason: 'Because' } } },
  'a code': { response: { allowed: false, status: { code: 404 } } },
  'a low code': { response: { allowed: false, status: { code: 200, message: 'x' } } },
  'a known reason': { response: { allowed: false, status: { reason: 'NotFound', message: 'x' } } },
  'all of a status': {
    response: {
      allowed: false,
      status: {
        code: 409,
        reason: 'Conflict',
        message: 'm',
        status: 'Success',
        details: { name: 'n', causes: [{ message: 'c' }] },
      },
    },
  },
  'an allowed status': { response: { allowed: true, status: { code: 500, message: 'm' } } },
  warnings: { response: { warnings: ['one', 'two "quoted"', ''] } },
  'a denial with warnings': { response: { allowed: false, warnings: ['careful'] } },
  'a long warning': { response: { warnings: ['x'.repeat(5000)] } },
  annotations: { response: { auditAnnotations: { a: 'b' } } },
  'another uid': { response: { uid: 'other' } },
  'no uid': { response: { uid: '' } },
  'no allowed': { response: { allowed: undefined } },
  'another version': { review: { apiVersion: 'admission.k8s.io/v1beta1' } },
  'no version': { review: { apiVersion: '' } },
  'an unknown version': { review: { apiVersion: 'admission.k8s.io/v9' } },
  'another kind': { review: { kind: 'Pod', apiVersion: 'v1' } },
  'another unknown kind': { review: { kind: 'Other' } },
  'no response': { review: { response: undefined } },
  'a null response': { review: { response: null } },
  'wrong types': { response: { allowed: 'yes' } },
  'no JSON': { text: 'hello' },
  nothing: { text: '' },
  'an empty object': { text: '{}' },
  'a list': { text: '[]' },
  null: { text: 'null' },
  'status 500': { status: 500, text: 'boom' },
  'status 500 with JSON': { status: 500 },
  'status 404': { status: 404, text: 'nope' },
  'status 400': { status: 400, text: 'bad' },
  'status 401': { status: 401, text: 'who' },
  'status 403': { status: 403, text: 'no' },
  'status 409': { status: 409, text: 'no' },
  'status 429': { status: 429, text: 'later' },
  'status 503': { status: 503, text: 'gone' },
  'status 504': { status: 504, text: '' },
  'status 418': { status: 418, text: 'teapot' },
  'status 201': { status: 201 },
  'status 302': { status: 302, text: '' },
  'a Status': {
    status: 403,
    text: '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"mine","reason":"Forbidden","code":403}',
  },
  ...formsOfAnswers,
  late: { delay: 1500 },
  patch: { patch: [{ op: 'add', path: '/data/b', value: 'c' }] },
  'patch of nothing': { patch: [] },
  'patch without a type': { patch: [{ op: 'add', path: '/data/b', value: 'c' }], response: { patchType: undefined } },
  'patch of another type': { patch: [{ op: 'add', path: '/data/b', value: 'c' }], response: { patchType: 'Merge' } },
  'patch that is none': { patch: 'hello' },
  'patch that is an object': { patch: {} },
  'patch not in base64': { response: { patch: '%%%', patchType: 'JSONPatch' } },
  'type without patch': { response: { patchType: 'JSONPatch' } },
  'patch of a missing path': { patch: [{ op: 'replace', path: '/nope/a', value: 1 }] },
  'patch with a failing test': { patch: [{ op: 'test', path: '/data/a', value: 'z' }] },
  'patch of a wrong type': { patch: [{ op: 'add', path: '/data/b', value: 5 }] },
  'patch of an unknown field': { patch: [{ op: 'add', path: '/unknown', value: 5 }] },
  'patch of the kind': { patch: [{ op: 'replace', path: '/kind', value: 'Secret' }] },
  'patch of the version': { patch: [{ op: 'replace', path: '/apiVersion', value: 'v9' }] },
  'patch of the name': { patch: [{ op: 'replace', path: '/metadata/name', value: 'other' }] },
  'patch of the namespace': { patch: [{ op: 'replace', path: '/metadata/namespace', value: 'other' }] },
  'patch of labels': { patch: [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }] },
  'patch of bad labels': { patch: [{ op: 'add', path: '/metadata/labels', value: { 'a b': 'b' } }] },
  'patch of the uid': { patch: [{ op: 'add', path: '/metadata/uid', value: 'x' }] },
  'patch to nothing': { patch: [{ op: 'remove', path: '' }] },
  'patch of a denial': { patch: [{ op: 'add', path: '/data/b', value: 'c' }], response: { allowed: false } },
};

const policies = ['Fail', 'Ignore'] as const;

/** Effects of every answer, by kind of webhook and failure policy. */
export const answerScenarios: readonly Scenario[] = (['mutating', 'validating'] as const).flatMap((kind) =>
  policies.flatMap((failurePolicy) =>
    Object.entries(answers).map(([title, behaviour]) => {
      const name = kind === 'mutating' ? 'm' : 'v';
      const hook = { name, ...behaviour, with: { failurePolicy, timeoutSeconds: 1 } };
      return hooked(`answers: ${kind}, ${failurePolicy}: ${title}`, { [kind]: [hook] }, [map('x')]);
    }),
  ),
);
