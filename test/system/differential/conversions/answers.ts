import { type Behaviour, formsOfAnswers } from '../runner/hooks.ts';
import type { Scenario } from '../runner/scenario.ts';
import { at, change, thing } from '../schemas/thing.ts';
import { convertedBy, converting } from './converted.ts';
import { settled } from './shapes.ts';

const rename = { convert: 'rename' };
/** Answers of every kind, valid and invalid. */
const answers: Readonly<Record<string, Behaviour>> = {
  'a conversion': rename,
  'the same again': { convert: 'same' },
  'other labels': { convert: 'metadata' },
  'bad labels': { convert: 'badLabels' },
  'bad annotations': { convert: 'badAnnotations' },
  'labels of numbers': { convert: 'numberLabels' },
  'labels that are a list': { convert: 'listLabels' },
  'no labels': { convert: 'noLabels' },
  'other metadata': { convert: 'otherMetadata' },
  'no metadata': { convert: 'noMetadata' },
  'metadata that is a text': { convert: 'textMetadata' },
  'another name': { convert: 'name' },
  'another namespace': { convert: 'namespace' },
  'another uid': { convert: 'uid' },
  'another kind of object': { convert: 'kind' },
  'another version of objects': { convert: 'version' },
  'another group of objects': { convert: 'group' },
  'an object that is invalid': { convert: 'invalid' },
  'an object that is empty': { convert: 'empty' },
  'an object that is a text': { convert: 'text' },
  'unknown fields': { convert: 'unknown' },
  'too few': { convert: 'rename', response: { convertedObjects: [] } },
  'too many': { convert: 'twice' },
  'a failure': { convert: 'rename', response: { result: { status: 'Failure', message: 'not today' } } },
  'a failure without a message': { convert: 'rename', response: { result: { status: 'Failure' } } },
  'an odd result': { convert: 'rename', response: { result: { status: 'Maybe' } } },
  'a result that is a text': { convert: 'rename', response: { result: 'Success' } },
  'another request': { convert: 'rename', response: { uid: 'other' } },
  'another review version': { convert: 'rename', review: { apiVersion: 'apiextensions.k8s.io/v1beta1' } },
  'an unknown review version': { convert: 'rename', review: { apiVersion: 'apiextensions.k8s.io/v9' } },
  'no review version': { convert: 'rename', review: { apiVersion: '' } },
  'another kind of review': { convert: 'rename', review: { kind: 'Other' } },
  'another known kind': { convert: 'rename', review: { kind: 'CustomResourceDefinition' } },
  'a kind of core': { convert: 'rename', review: { kind: 'Pod', apiVersion: 'v1' } },
  'a null response': { convert: 'rename', review: { response: null } },
  'a response that is a text': { convert: 'rename', review: { response: 'x' } },
  'objects that are a text': { convert: 'rename', response: { convertedObjects: 'x' } },
  'a null object': { convert: 'null' },
  'no JSON': { text: 'hello' },
  'broken JSON': { text: '{"a":' },
  nothing: { text: '' },
  'an empty review': { text: '{}' },
  'a list': { text: '[]' },
  null: { text: 'null' },
  'status 500': { status: 500, text: 'boom' },
  'status 500 with a review': { ...rename, status: 500 },
  'status 404': { status: 404, text: 'nope' },
  'status 400': { status: 400, text: 'bad' },
  'status 403': { status: 403, text: 'no' },
  'status 418': { status: 418, text: 'teapot' },
  'status 201': { ...rename, status: 201 },
  'status 302': { status: 302, text: '' },
  ...Object.fromEntries(Object.entries(formsOfAnswers).map(([name, form]) => [name, { ...rename, ...form }])),
  'a Status': {
    status: 400,
    text: JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'a message', code: 400 }),
  },
};

const filled = {
  metadata: { name: 'a', labels: { one: '1' }, annotations: { two: '2' } },
  spec: { v1: 'x', kept: 'k' },
};
const json = 'application/json-patch+json';
const apply = 'application/apply-patch+yaml';

/** Effects of an answer on objects read and written at the version that is not stored. */
const answered = ([name, behaviour]: readonly [string, Behaviour], reviews: readonly string[]): Scenario => ({
  name: `${reviews.join(' and ')} answered by ${name}`,
  apart: true,
  steps: [
    ...convertedBy(rename, { conversionReviewVersions: reviews }),
    { path: at('v1'), body: thing('v1', 'a', filled) },
    { path: at('v2', 'a'), until: 200, silent: true },
    change({ spec: { conversion: { ...converting(behaviour, { conversionReviewVersions: reviews }) } } }),
    ...settled,
    { path: at('v1', 'a') },
    { path: at('v2', 'a') },
    { path: at('v2'), body: thing('v2', 'b', { spec: { v2: 'y' } }) },
    { path: `${at('v2')}?dryRun=All`, body: thing('v2', 'd', { spec: { v2: 'y' } }) },
    { method: 'PUT', path: at('v2', 'a'), from: 3, set: { apiVersion: '{ns}.example.com/v2', 'spec.v2': 'z' } },
    { method: 'PATCH', path: at('v2', 'a'), body: { spec: { kept: 'patched' } } },
    { method: 'PATCH', path: at('v2', 'a'), contentType: json, body: [{ op: 'add', path: '/spec/kept', value: 'j' }] },
    {
      method: 'PATCH',
      path: `${at('v2', 'a')}?fieldManager=me&force=true`,
      contentType: apply,
      body: thing('v2', 'a', { spec: { kept: 'applied' } }),
    },
    { method: 'DELETE', path: at('v2', 'a') },
    { path: at('v1', 'a') },
  ],
});

/** Effects of a conversion webhook's answers. */
export const answerScenarios: readonly Scenario[] = [
  ...Object.entries(answers).map((one) => answered(one, ['v1'])),
  ...Object.entries(answers).map((one) => answered(one, ['v1beta1'])),
];
