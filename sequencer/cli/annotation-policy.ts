import {
  type KubeObject,
  mirrorAnnotation,
  mirrorAnnotationPattern,
  resolveAnnotation,
  Workspace,
} from '../../sdk/index.ts';

type Manifest = KubeObject & Readonly<Record<string, unknown>>;

/** Whose annotations are guarded, and for whom. */
export interface AnnotationPolicyOptions {
  /** The name of policy and binding. */
  readonly name: string;
  /** The user that the operator is to the server. */
  readonly operator: string;
  /** Only workspaces of this namespace. @default all */
  readonly namespace?: string | undefined;
}

/** Whether the annotation `key` begins so. */
const begins = (prefix: string): string => `key.startsWith('${prefix}')`;

/** A mirror or a page of one. */
const ours = `key.matches('${mirrorAnnotationPattern}')`;
const answers = begins(resolveAnnotation(''));
const unchanged = 'key in variables.before && variables.before[key] == variables.now[key]';
const mayResolve = `authorizer.group('${Workspace.group}').resource('${Workspace.plural}').namespace(request.namespace).check('resolve').allowed()`;

const annotationsOf = (object: string): string =>
  `${object} != null && has(${object}.metadata.annotations) ? ${object}.metadata.annotations : {}`;

const copying =
  'a copy leaves them out: kubectl get workspace NAME -o json | jq "del(.metadata.annotations)" | kubectl create -f -';

/**
 * A ValidatingAdmissionPolicy with its binding (Kubernetes 1.30 and later): the ids that the sequencer keeps in annotations of workspaces are
 * written by `operator` alone, and answers to its questions by whoever has the verb `resolve` on workspaces.
 */
export function annotationPolicy({ name, operator, namespace }: AnnotationPolicyOptions): readonly Manifest[] {
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const kept = `annotations ${mirrorAnnotation('*')}`;
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
        matchConditions: [{ name: 'others', expression: `request.userInfo.username != '${operator}'` }],
        variables: [
          { name: 'now', expression: annotationsOf('object') },
          { name: 'before', expression: annotationsOf('oldObject') },
        ],
        validations: [
          {
            expression: `variables.now.all(key, !${ours} || (${unchanged}))`,
            message: `${kept} are written by the sequencer alone; ${copying}`,
          },
          {
            expression: `variables.before.all(key, !${ours} || key in variables.now)`,
            message: `${kept} are removed by the sequencer alone: they hold the ids of what exists outside`,
          },
          {
            expression: `variables.now.all(key, !${answers} || (${unchanged})) || ${mayResolve}`,
            message: `annotations ${resolveAnnotation('*')} are for those who have the verb "resolve" on workspaces`,
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
