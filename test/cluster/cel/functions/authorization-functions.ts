/** CEL functions of the authorizer. */

import { trimSpace } from '../../apimachinery/go/trim-space.ts';
import { isLabel, isSubdomain } from '../../apimachinery/name-validation.ts';
import { libraryType } from '../typing/declarations.ts';
import { noOverload } from '../values/compare.ts';
import { readText } from '../values/uncosted-work.ts';
import { CelError, Opaque, type Value } from '../values/values.ts';
import type { Implementation } from './operators.ts';

/** Request to an authorizer: for a path or a resource. */
export interface AccessQuery {
  readonly verb: string;
  readonly path?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** Authorizer for the user of an expression. */
export interface AuthorizeQuery {
  decide(question: AccessQuery): { readonly allowed: boolean; readonly reason: string };
  /** Returns the authorizer for a service account. */
  as(namespace: string, name: string): AuthorizeQuery;
}

type Decision = ReturnType<AuthorizeQuery['decide']>;

/** Authorizer, and the question as far as it is built. */
interface Check {
  readonly asker: AuthorizeQuery;
  readonly question: Omit<AccessQuery, 'verb'>;
}

const made = (type: string, content: Check | Decision, text: string): Opaque =>
  new Opaque(libraryType(type), content, text);

const checkOf = (type: string, asker: AuthorizeQuery, question: Check['question']): Opaque =>
  made(type, { asker, question }, JSON.stringify(question));

/** Returns the value of `authorizer`. */
export const authorizerOf = (asker: AuthorizeQuery): Value => checkOf('authorizer', asker, {});

/** Returns the value of `authorizer.requestResource`: the resource of the request. */
export const requestResourceOf = (asker: AuthorizeQuery, question: Check['question']): Value =>
  checkOf('resourceCheck', asker, question);

const contentOf = (value: Value | undefined, type: string): Check | undefined =>
  value instanceof Opaque && value.type === libraryType(type) ? (value.content as Check) : undefined;

const step =
  (from: string, to: string, more: (text: string) => Check['question'] | string): Implementation =>
  (value, text) => {
    const check = contentOf(value, from);
    if (check === undefined || typeof text !== 'string') return noOverload;
    readText(text.length);
    const added = more(text);
    return typeof added === 'string' ? new CelError(added) : checkOf(to, check.asker, { ...check.question, ...added });
  };

const needed =
  (what: 'path' | 'resource') =>
  (text: string): Check['question'] | string =>
    trimSpace(text) === '' ? `${what} must not be empty` : { [what]: text };

const serviceAccount: Implementation = (value, namespace, name) => {
  const check = contentOf(value, 'authorizer');
  if (check === undefined || typeof namespace !== 'string' || typeof name !== 'string') return noOverload;
  readText(name.length + namespace.length);
  if (isSubdomain(name).length > 0) return new CelError('Invalid service account name');
  if (isLabel(namespace).length > 0) return new CelError('Invalid service account namespace');
  return authorizerOf(check.asker.as(namespace, name));
};

const check: Implementation = (value, verb) => {
  const asked = contentOf(value, 'resourceCheck') ?? contentOf(value, 'pathCheck');
  if (asked === undefined || typeof verb !== 'string') return noOverload;
  const decision = asked.asker.decide({ ...asked.question, verb });
  return made('decision', decision, JSON.stringify(decision));
};

const ofDecision =
  (run: (decision: Decision) => Value): Implementation =>
  (value) =>
    value instanceof Opaque && value.type === libraryType('decision') ? run(value.content as Decision) : noOverload;

const onResource = (part: 'subresource' | 'namespace' | 'name'): Implementation =>
  step('resourceCheck', 'resourceCheck', (text) => ({ [part]: text }));

/** Functions that query the cluster's authorizer. Selectors do not narrow the question, as RBAC ignores them. */
export const authorizationFunctions: Readonly<Record<string, Implementation>> = {
  path: step('authorizer', 'pathCheck', needed('path')),
  group: step('authorizer', 'groupCheck', (group) => ({ group })),
  serviceAccount,
  resource: step('groupCheck', 'resourceCheck', needed('resource')),
  subresource: onResource('subresource'),
  namespace: onResource('namespace'),
  name: onResource('name'),
  fieldSelector: step('resourceCheck', 'resourceCheck', () => ({})),
  labelSelector: step('resourceCheck', 'resourceCheck', () => ({})),
  check,
  errored: ofDecision(() => false),
  error: ofDecision(() => ''),
  allowed: ofDecision(({ allowed }) => allowed),
  reason: ofDecision(({ reason }) => reason),
};
