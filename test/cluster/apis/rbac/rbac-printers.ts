/** Columns of the kinds of the group, and their descriptions. */

import { fieldsOf, listOf } from '../../apimachinery/validation/errors.ts';
import { ageOf, nameOf, type Printer, text } from '../printing/printer.ts';

const subjectNames = (subjects: unknown, kind: string): string =>
  listOf(subjects)
    .filter((subject) => subject.kind === kind)
    .map(({ namespace, name }) => (kind === 'ServiceAccount' ? `${namespace}/${name}` : text(name)))
    .join(', ');

const bindings: Printer = {
  columns: 'Name|Role|Age|Users+|Groups+|ServiceAccounts+',
  cells(object, ago) {
    const { kind, name } = fieldsOf(object.roleRef);
    return [
      nameOf(object),
      `${kind}/${name}`,
      ageOf(object, ago),
      ...['User', 'Group', 'ServiceAccount'].map((subject) => subjectNames(object.subjects, subject)),
    ];
  },
};

/** Printers of the kinds of the group, by plural. */
export const rbacPrinters: Readonly<Record<string, Printer>> = {
  rolebindings: bindings,
  clusterrolebindings: bindings,
};

/** Descriptions of the columns, by `plural Column`. */
export const rbacColumnTexts: Readonly<Record<string, string>> = {
  'clusterrolebindings Groups': 'Groups in the clusterRoleBinding',
  'clusterrolebindings Role':
    'RoleRef can only reference a ClusterRole in the global namespace. If the RoleRef cannot be resolved, the Authorizer must return an error.',
  'clusterrolebindings ServiceAccounts': 'ServiceAccounts in the clusterRoleBinding',
  'clusterrolebindings Users': 'Users in the clusterRoleBinding',
  'rolebindings Groups': 'Groups in the roleBinding',
  'rolebindings Role':
    'RoleRef can reference a Role in the current namespace or a ClusterRole in the global namespace. If the RoleRef cannot be resolved, the Authorizer must return an error.',
  'rolebindings ServiceAccounts': 'ServiceAccounts in the roleBinding',
  'rolebindings Users': 'Users in the roleBinding',
};
