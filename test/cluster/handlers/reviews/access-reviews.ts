/** Access reviews of `authorization.k8s.io`. */

import type { FieldError } from '../../apimachinery/field-error.ts';
import { type Fields, isFields } from '../../apimachinery/object.ts';
import { fieldRequirementsOf } from '../../apimachinery/selectors/field-selector.ts';
import { labelSelectorOf } from '../../apimachinery/selectors/parse-label-selector.ts';
import { badRequest, invalid } from '../../apimachinery/status.ts';
import { attributeErrors, localErrors, metadataErrors, subjectErrors } from '../../authz/access-review-validation.ts';
import { missingRoleMessage } from '../../authz/rbac.ts';
import type { ApiResponse, User } from '../../requests/message.ts';
import type { Action, PolicyRule } from '../../server/authorizer.ts';
import type { Call, Verb } from '../resource-call.ts';
import { type Review, readReview, reviewResponse } from './review-body.ts';

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

const parses =
  (parse: (text: string) => unknown) =>
  (selector: string): boolean => {
    try {
      parse(selector);
      return true;
    } catch {
      return false;
    }
  };

/** Parser of one kind of selector. */
interface SelectorParser {
  readonly parses: (text: string) => boolean;
  readonly isKnown: (requirement: Fields) => boolean;
}

const labelSelectorParser: SelectorParser = {
  parses: parses(labelSelectorOf),
  isKnown: ({ operator }) => ['In', 'NotIn', 'Exists', 'DoesNotExist'].includes(text(operator)),
};

/** Field selectors support equality and inequality with a single value only. */
const fieldSelectorParser: SelectorParser = {
  parses: parses(fieldRequirementsOf),
  isKnown: ({ operator, values }) =>
    ['In', 'NotIn'].includes(text(operator)) && Array.isArray(values) && values.length === 1,
};

function isParseable(selector: unknown, { parses, isKnown }: SelectorParser): boolean {
  if (!isFields(selector)) return true;
  const { rawSelector, requirements } = selector;
  const raw = text(rawSelector);
  return (raw === '' || parses(raw)) && (!Array.isArray(requirements) || (requirements as Fields[]).every(isKnown));
}

function throwInvalid(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: 'authorization.k8s.io', kind: '' }, '', errors);
}

/** Returns the evaluation error of unparseable selectors, if any. */
function parseError({ resourceAttributes }: Fields): string | undefined {
  const { fieldSelector, labelSelector } = isFields(resourceAttributes) ? resourceAttributes : {};
  const problems = [
    ...(isParseable(labelSelector, labelSelectorParser) ? [] : ['labelSelector']),
    ...(isParseable(fieldSelector, fieldSelectorParser) ? [] : ['fieldSelector']),
  ].map((name) => `spec.resourceAttributes.${name} ignored due to parse error`);
  return problems.length === 0 ? undefined : problems.join('; ');
}

function accessReviewResponse(call: Call, { metadata, spec }: Review, user: User): ApiResponse {
  const { allowed, reason } = call.server.authorizer.decide(user, actionOf(spec));
  const evaluationError = parseError(spec);
  const status = { allowed, ...(reason !== '' && { reason }), ...(evaluationError && { evaluationError }) };
  return reviewResponse(call, { metadata, spec, status });
}

/** POST of a SelfSubjectAccessReview: decides for the requesting user. */
export const selfSubjectAccessReview: Verb = async (call) => {
  const review = await readReview(call);
  throwInvalid([...attributeErrors(review.spec), ...metadataErrors(review.metadata, {})]);
  return accessReviewResponse(call, review, call.request.user);
};

const userIn = ({ user, groups, uid, extra }: Fields): User => ({
  name: text(user),
  groups: Array.isArray(groups) ? groups.map(String) : [],
  ...(text(uid) !== '' && { uid: text(uid) }),
  ...(isFields(extra) && { extra: extra as Record<string, string[]> }),
});

/** POST of a SubjectAccessReview: decides for the given user. */
export const subjectAccessReview: Verb = async (call) => {
  const review = await readReview(call);
  const { spec, metadata } = review;
  throwInvalid([...attributeErrors(spec), ...subjectErrors(spec), ...metadataErrors(metadata, {})]);
  return accessReviewResponse(call, review, userIn(spec));
};

/** POST of a LocalSubjectAccessReview: decides for the given user within one namespace. */
export const localSubjectAccessReview: Verb = async (call) => {
  const review = await readReview(call);
  const { spec, metadata } = review;
  const namespace = call.path.namespace ?? '';
  throwInvalid([
    ...attributeErrors(spec),
    ...subjectErrors(spec),
    ...metadataErrors(metadata, { namespace }),
    ...localErrors(spec, namespace),
  ]);
  return accessReviewResponse(call, review, userIn(spec));
};

const isForPaths = ({ nonResourceURLs = [] }: PolicyRule): boolean => nonResourceURLs.length > 0;

/** POST of a SelfSubjectRulesReview: lists the requesting user's rules in a namespace. */
export const selfSubjectRulesReview: Verb = async (call) => {
  const { spec } = await readReview(call);
  const namespace = text(spec.namespace);
  if (namespace === '') throw badRequest('no namespace on request');
  const { rules, missing } = call.server.authorizer.rulesFor(call.request.user, namespace);
  const status = {
    resourceRules: rules.filter((rule) => !isForPaths(rule)),
    nonResourceRules: rules.filter(isForPaths),
    incomplete: false,
    ...(missing.length > 0 && { evaluationError: missing.map(missingRoleMessage).join(', ') }),
  };
  return reviewResponse(call, { metadata: {}, spec: {}, status });
};
