import { ruleFor } from './hooked.ts';

/** Configurations that select the requests of a webhook. */
export const matching: Readonly<Record<string, object>> = {
  'of another operation': { rules: [ruleFor('configmaps', { operations: ['DELETE'] })] },
  'of everything': { rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }] },
  'of everything and its subresources': {
    rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] }],
  },
  'of the cluster': { rules: [ruleFor('configmaps', { scope: 'Cluster' })] },
  'of namespaces': { rules: [ruleFor('configmaps', { scope: 'Namespaced' })] },
  'of another version': { rules: [ruleFor('configmaps', { apiVersions: ['v2'] })] },
  'of a label': { objectSelector: { matchLabels: { a: 'b' } } },
  'of no label': { objectSelector: { matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] } },
  'of another namespace': { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'other' } } },
  'on condition': {
    matchConditions: [
      { name: 'a', expression: 'request.operation == "CREATE"' },
      { name: 'b', expression: 'object.metadata.name == "x"' },
    ],
  },
  'on the old object': { matchConditions: [{ name: 'a', expression: 'oldObject != null && oldObject.data.a == "b"' }] },
  'on a condition that fails': { matchConditions: [{ name: 'a', expression: 'object.data.nope == "x"' }] },
  'on a condition that fails, ignored': {
    failurePolicy: 'Ignore',
    matchConditions: [{ name: 'a', expression: 'object.data.nope == "x"' }],
  },
  'on a user': { matchConditions: [{ name: 'a', expression: 'request.userInfo.username == "jane"' }] },
  'with side effects': { sideEffects: 'NoneOnDryRun' },
  'of versions that are not known': { admissionReviewVersions: ['v9', 'v1beta1', 'v1'] },
};
