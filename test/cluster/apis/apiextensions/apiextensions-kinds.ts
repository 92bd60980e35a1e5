/** Rules of the kinds of `apiextensions.k8s.io`. */

import { defaultCrd } from '../../crd/definition.ts';
import { validateCrd } from '../../crd/definition-validation.ts';
import { type DefaultRule, fieldsOf, withoutFields } from '../../resources/defaulting.ts';
import type { BuiltinKind } from '../builtin-kind.ts';
import { withStorageVersion } from './definition-strategy.ts';

/** Stored versions are by default the storage version. */
const definition: DefaultRule = (value) => {
  const crd = defaultCrd(value);
  const { storedVersions } = fieldsOf(crd.status);
  return Array.isArray(storedVersions) && storedVersions.length > 0 ? crd : withStorageVersion(crd);
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
    checkStatus: () => [],
  },
};
