/** Rules of the kinds of `apiextensions.k8s.io`. */

import { defaultCrd, definitionSpecOf } from '../../crd/definition.ts';
import { validateCrd } from '../../crd/definition-rules.ts';
import { type DefaultRule, fieldsOf, withoutFields } from '../../resources/default-rule.ts';
import type { BuiltinKind } from '../builtin-kind.ts';

/** Adds the storage version to the stored versions of a definition. */
const definition: DefaultRule = (value) => {
  const crd = defaultCrd(value);
  const storage = definitionSpecOf(crd).versions?.find((version) => version.storage)?.name;
  const status = fieldsOf(crd.status);
  const stored = Array.isArray(status.storedVersions) ? status.storedVersions : [];
  if (storage === undefined || stored.includes(storage)) return crd;
  return { ...crd, status: { ...status, storedVersions: [...stored, storage] } };
};

/** Rules of the kinds of `apiextensions.k8s.io`, by type. */
export const apiextensionsKinds: Readonly<Record<string, BuiltinKind>> = {
  'apiextensions.CustomResourceDefinition': {
    defaults: {
      'apiextensions.CustomResourceDefinition': definition,
      'apiextensions.CustomResourceDefinitionCondition': withoutFields('observedGeneration'),
      'apiextensions.CustomResourceDefinitionStatus': withoutFields('observedGeneration'),
    },
    check: validateCrd,
  },
};
