/** Admission policy that protects the annotations of workspaces. */

import { mirrorAnnotationPattern } from '../../../sdk/host/index.ts';
import { mirrorAnnotation, resolveAnnotation, Workspace } from '../../../sdk/index.ts';
import type { Manifest } from './manifest.ts';

/** Options of {@link annotationPolicy}. */
export interface AnnotationPolicyOptions {
  /** Name of the policy and its binding. */
  readonly name: string;
  /** User as which the operator authenticates. */
  readonly operator: string;
  /** Restricts the policy to workspaces of this namespace. @default all */
  readonly namespace?: string | undefined;
  /** Class of the workspaces. @default those that name none */
  readonly className?: string | undefined;
}

/** Returns the CEL expression for an annotation key with this prefix. */
const hasPrefix = (prefix: string): string => `key.startsWith('${prefix}')`;

/** CEL expression for the key of a mirror or of one of its pages. */
const isMirrorKey = `key.matches('${mirrorAnnotationPattern}')`;
const isResolutionKey = hasPrefix(resolveAnnotation(''));
const unchanged = 'key in variables.before && variables.before[key] == variables.now[key]';
const mayResolve = `authorizer.group('${Workspace.group}').resource('${Workspace.plural}').namespace(request.namespace).check('resolve').allowed()`;

/** Returns the CEL expression that exempts a user. */
export const exempts = (user: string): string => `request.userInfo.username != '${user}'`;

/** Returns the CEL expression for the workspaces that sequencers of a class walk. */
export const ofClass = (className: string | undefined): string =>
  className === undefined
    ? '!has(object.spec) || !has(object.spec.className)'
    : `has(object.spec) && has(object.spec.className) && object.spec.className == '${className}'`;

const annotationsOf = (object: string): string =>
  `${object} != null && has(${object}.metadata.annotations) ? ${object}.metadata.annotations : {}`;

const copyHint =
  'to copy a workspace, remove them: kubectl get workspace NAME -o json | jq "del(.metadata.annotations)" | kubectl create -f -';

/**
 * Returns a ValidatingAdmissionPolicy with its binding (Kubernetes 1.30 and later): the ids that the sequencer keeps in annotations of workspaces are
 * written by `operator` alone, and resolutions only by users with the verb `resolve` on workspaces.
 */
export function annotationPolicy({
  name,
  operator,
  namespace,
  className,
}: AnnotationPolicyOptions): readonly Manifest[] {
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const mirrorAnnotations = `annotations ${mirrorAnnotation('*')}`;
  const rule = {
    apiGroups: [Workspace.group],
    apiVersions: ['*'],
    operations: ['CREATE', 'UPDATE'],
    resources: [Workspace.plural],
  };
  return [
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          resourceRules: [rule],
          ...(namespace !== undefined && {
            namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
          }),
        },
        matchConditions: [
          { name: 'others', expression: exempts(operator) },
          { name: 'class', expression: ofClass(className) },
        ],
        variables: [
          { name: 'now', expression: annotationsOf('object') },
          { name: 'before', expression: annotationsOf('oldObject') },
        ],
        validations: [
          {
            expression: `variables.now.all(key, !${isMirrorKey} || (${unchanged}))`,
            message: `${mirrorAnnotations} are written only by the sequencer; ${copyHint}`,
          },
          {
            expression: `variables.before.all(key, !${isMirrorKey} || key in variables.now)`,
            message: `${mirrorAnnotations} are removed only by the sequencer: they hold the ids of external objects`,
          },
          {
            expression: `variables.now.all(key, !${isResolutionKey} || (${unchanged})) || ${mayResolve}`,
            message: `annotations ${resolveAnnotation('*')} need the verb "resolve" on workspaces`,
          },
        ],
      },
    },
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: { policyName: name, validationActions: ['Deny'] },
    },
  ];
}
