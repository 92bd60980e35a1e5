/** Namespace of an operator, where it is one of its objects. */

import type { Manifest } from './manifest.ts';

/** Namespaces of an operator and of its workspaces. */
export interface OperatorNamespaces {
  readonly operatorNamespace: string;
  /** Namespace of the workspaces. @default all */
  readonly namespace?: string | undefined;
  /** The namespace of the operator exists and holds other things: no Namespace object. @default false */
  readonly existingNamespace?: boolean | undefined;
}

/**
 * Reports whether the operator has its namespace to itself. In others a label would hold for the pods of others, and a deletion would delete what
 * others have there.
 */
export const hasNamespaceToItself = ({
  existingNamespace,
  operatorNamespace,
  namespace,
}: OperatorNamespaces): boolean =>
  !existingNamespace && operatorNamespace !== namespace && !/^(default$|kube-)/.test(operatorNamespace);

/** Returns the namespace of the operator, which enforces the Pod Security Standard `restricted`; nothing for one that it shares. */
export const namespaceObjects = (options: OperatorNamespaces): readonly Manifest[] =>
  hasNamespaceToItself(options)
    ? [
        {
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: {
            name: options.operatorNamespace,
            labels: { 'pod-security.kubernetes.io/enforce': 'restricted' },
          },
        },
      ]
    : [];
