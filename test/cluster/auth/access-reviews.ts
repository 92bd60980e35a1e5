import type { FieldError } from '../field-error.ts';
import type { User } from '../http/message.ts';
import { jsonResponse } from '../http/represent.ts';
import type { Action, PolicyRule } from '../machinery.ts';
import { equal, type Fields, isFields } from '../objects/object.ts';
import { badRequest, invalid } from '../status.ts';
import type { Call, Verb } from '../verbs/call.ts';
import { decodeBody, rulesOf } from '../verbs/decode.ts';
import { writeOptionsOf } from '../verbs/parameters.ts';

interface Review {
  readonly metadata: Fields;
  readonly spec: Fields;
}

async function reviewIn(call: Call): Promise<Review> {
  const options = writeOptionsOf(call.query, 'CreateOptions');
  const { metadata, spec } = await decodeBody(call, await rulesOf(call), options);
  return { metadata, spec: isFields(spec) ? spec : {} };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function actionOf({ resourceAttributes, nonResourceAttributes }: Fields): Action {
  if (isFields(nonResourceAttributes)) {
    return { verb: text(nonResourceAttributes.verb), path: text(nonResourceAttributes.path) };
  }
  const { verb, group, resource, subresource, namespace, name } = isFields(resourceAttributes)
    ? resourceAttributes
    : {};
  return {
    verb: text(verb),
    group: text(group),
    resource: text(resource),
    ...(text(subresource) !== '' && { subresource: text(subresource) }),
    ...(text(namespace) !== '' && { namespace: text(namespace) }),
    ...(text(name) !== '' && { name: text(name) }),
  };
}

const goNames = ({ path, verb }: Fields): Fields => ({ Path: text(path), Verb: text(verb) });

function* attributeErrors({ resourceAttributes, nonResourceAttributes }: Fields): Generator<FieldError> {
  if (isFields(resourceAttributes) && isFields(nonResourceAttributes)) {
    const detail = 'cannot be specified in combination with resourceAttributes';
    yield { type: 'Invalid', field: 'spec.nonResourceAttributes', value: goNames(nonResourceAttributes), detail };
  }
  if (!isFields(resourceAttributes) && !isFields(nonResourceAttributes)) {
    const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    yield { type: 'Invalid', field: 'spec.resourceAttributes', value: null, detail };
  }
}

function* metadataErrors(metadata: Fields, expected: Fields): Generator<FieldError> {
  if (!equal(metadata, expected))
    yield { type: 'Invalid', field: 'metadata', value: metadata, detail: 'must be empty' };
}

function* subjectErrors({ user, groups }: Fields): Generator<FieldError> {
  if (text(user) !== '' || (Array.isArray(groups) && groups.length > 0)) return;
  const detail = 'at least one of user or group must be specified';
  yield { type: 'Invalid', field: 'spec.user', value: '', detail };
}

function* localErrors({ resourceAttributes, nonResourceAttributes }: Fields, namespace: string): Generator<FieldError> {
  if (isFields(nonResourceAttributes)) {
    const detail = 'disallowed on this kind of request';
    yield { type: 'Invalid', field: 'spec.nonResourceAttributes', value: goNames(nonResourceAttributes), detail };
  }
  const given = isFields(resourceAttributes) ? text(resourceAttributes.namespace) : namespace;
  if (given !== namespace) {
    const detail = 'must match metadata.namespace';
    yield { type: 'Invalid', field: 'spec.resourceAttributes.namespace', value: given, detail };
  }
}

function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: 'authorization.k8s.io', kind: '' }, '', errors);
}

function answer({ machinery, resource }: Call, { metadata, spec }: Review, user: User) {
  const { allowed, reason } = machinery.authorizer.decide(user, actionOf(spec));
  const { apiVersion, info } = resource;
  const status = { allowed, ...(reason !== '' && { reason }) };
  return jsonResponse(201, { kind: info.kind, apiVersion, metadata, spec, status });
}

/** POST of a SelfSubjectAccessReview: whether the asker may. */
export const reviewSelf: Verb = async (call) => {
  const review = await reviewIn(call);
  refuse([...attributeErrors(review.spec), ...metadataErrors(review.metadata, {})]);
  return answer(call, review, call.request.user);
};

const userIn = ({ user, groups, uid, extra }: Fields): User => ({
  name: text(user),
  groups: Array.isArray(groups) ? groups.map(String) : [],
  ...(text(uid) !== '' && { uid: text(uid) }),
  ...(isFields(extra) && { extra: extra as Record<string, string[]> }),
});

/** POST of a SubjectAccessReview: whether somebody may. */
export const reviewSubject: Verb = async (call) => {
  const review = await reviewIn(call);
  const { spec, metadata } = review;
  refuse([...attributeErrors(spec), ...subjectErrors(spec), ...metadataErrors(metadata, {})]);
  return answer(call, review, userIn(spec));
};

/** POST of a LocalSubjectAccessReview: whether somebody may, in that namespace. */
export const reviewLocal: Verb = async (call) => {
  const review = await reviewIn(call);
  const { spec, metadata } = review;
  const namespace = call.path.namespace ?? '';
  refuse([
    ...attributeErrors(spec),
    ...subjectErrors(spec),
    ...metadataErrors(metadata, { namespace }),
    ...localErrors(spec, namespace),
  ]);
  return answer(call, review, userIn(spec));
};

const isForPaths = ({ nonResourceURLs = [] }: PolicyRule): boolean => nonResourceURLs.length > 0;

/** POST of a SelfSubjectRulesReview: everything that the asker may do in a namespace. */
export const reviewRules: Verb = async (call) => {
  const { spec } = await reviewIn(call);
  const namespace = text(spec.namespace);
  if (namespace === '') throw badRequest('no namespace on request');
  const { rules, errors } = call.machinery.authorizer.rulesFor(call.request.user, namespace);
  const status = {
    resourceRules: rules.filter((rule) => !isForPaths(rule)),
    nonResourceRules: rules.filter(isForPaths),
    incomplete: errors.length > 0,
    ...(errors.length > 0 && { evaluationError: errors.join(', ') }),
  };
  const { apiVersion, info } = call.resource;
  return jsonResponse(201, { kind: info.kind, apiVersion, metadata: {}, spec: {}, status });
};
