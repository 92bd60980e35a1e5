/** Checks the operator's permissions by SelfSubjectAccessReviews. */

import { type Client, ForbiddenError, NotFoundError, UserError } from '../../../sdk/index.ts';
import type { Access } from './access.ts';

/** Namespaces in which the permissions are needed. */
export interface AccessNamespaces {
  /** Namespace of the workspaces. @default all */
  readonly namespace?: string | undefined;
  /** Namespace of the operator. */
  readonly operatorNamespace: string;
}

interface AccessQuestion {
  readonly by: string;
  readonly attributes: {
    readonly group: string;
    readonly resource: string;
    readonly subresource?: string;
    readonly verb: string;
    readonly namespace?: string;
    readonly name?: string;
  };
}

/** Expands the permissions into one question per verb and resource. */
export function questionsOf(all: readonly Access[], namespaces: AccessNamespaces): readonly AccessQuestion[] {
  return all.flatMap(({ rule, where, by }) => {
    const namespace = { operator: namespaces.operatorNamespace, workspaces: namespaces.namespace, cluster: undefined }[
      where
    ];
    const names = rule.resourceNames?.map((name) => ({ name })) ?? [{}];
    return rule.apiGroups.flatMap((group) =>
      rule.resources.flatMap((path) => {
        const [resource = '', subresource] = path.split('/');
        const target = { group, resource, ...(subresource && { subresource }), ...(namespace && { namespace }) };
        return rule.verbs.flatMap((verb) => names.map((name) => ({ by, attributes: { ...target, verb, ...name } })));
      }),
    );
  });
}

/** Options of {@link requireAccess}. */
export interface AccessReviewOptions {
  readonly signal: AbortSignal;
  /** User whose permissions are reviewed, which requires the right to create SubjectAccessReviews. @default the client's user */
  readonly subject?: { readonly user: string; readonly groups: readonly string[] } | undefined;
}

async function isAllowed(
  client: Client,
  { attributes }: AccessQuestion,
  { signal, subject }: AccessReviewOptions,
): Promise<boolean> {
  const kind = subject === undefined ? 'SelfSubjectAccessReview' : 'SubjectAccessReview';
  const apiVersion = 'authorization.k8s.io/v1';
  const review = { apiVersion, kind, spec: { ...subject, resourceAttributes: attributes } };
  const answer = await client.raw('POST', `/apis/${apiVersion}/${kind.toLowerCase()}s`, review, { signal });
  return (answer as { readonly status?: { readonly allowed?: boolean } }).status?.allowed === true;
}

function targetOf({ by, attributes }: AccessQuestion): string {
  const { group, resource, subresource, namespace, name } = attributes;
  const what = [group === '' ? resource : `${resource}.${group}`, subresource].filter(Boolean).join('/');
  const where = namespace === undefined ? 'in all namespaces' : `in namespace ${namespace}`;
  return `${what}${name === undefined ? '' : ` "${name}"`} ${where}, for ${by}`;
}

/** Formats the missing verbs of each target. */
const textOf = (missing: readonly AccessQuestion[]): string =>
  [...Map.groupBy(missing, targetOf)]
    .map(([target, all]) => `${all.map(({ attributes: { verb } }) => verb).join(', ')} ${target}`)
    .join('; ');

/**
 * Reviews each permission at the server.
 * @returns true if all are granted, false if access reviews are forbidden or not served
 * @throws UserError E#1016 naming each missing permission: verb, resource, namespace, and the part that needs it
 */
export async function requireAccess(
  client: Client,
  questions: readonly AccessQuestion[],
  options: AccessReviewOptions,
): Promise<boolean> {
  try {
    const answers = await Promise.all(questions.map((question) => isAllowed(client, question, options)));
    const missing = questions.filter((_, index) => !answers[index]);
    if (missing.length === 0) return true;
    throw new UserError('E#1016', `missing rights: ${textOf(missing)}`, {
      hint: '`sequencer manifests` prints the roles that this config needs',
    });
  } catch (error) {
    if (error instanceof ForbiddenError || error instanceof NotFoundError) return false;
    throw error;
  }
}
