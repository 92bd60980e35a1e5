import type { Controller } from '../controllers/reaction.ts';
import { fieldsOf } from '../kinds/checks.ts';
import type { TypeTable } from '../kinds/type-table.ts';
import type { Machinery } from '../machinery.ts';
import { scopeOf } from '../objects/managing.ts';
import { draftOf } from '../objects/object.ts';
import { updateObject } from '../objects/update.ts';
import type { Resource } from '../registry.ts';
import { createKindTypes } from './kind-types.ts';
import { expressionWarnings } from './type-check.ts';

/** Creates the controller that type-checks ValidatingAdmissionPolicies and writes warnings to their status. */
export function policyTypesController(machinery: Machinery, policies: Resource, table: TypeTable): Controller {
  const { registry } = machinery;
  const manager = 'validatingadmissionpolicy-status';
  return ({ type, collection, object }) => {
    if (collection !== policies.collection || type === 'DELETED') return;
    const { generation = 1 } = object.metadata;
    if (Number(fieldsOf(object.status).observedGeneration ?? 0) >= generation) return;
    const warnings = expressionWarnings(fieldsOf(object.spec), { registry, kinds: createKindTypes(table) });
    const typeChecking = warnings.length === 0 ? {} : { expressionWarnings: warnings };
    const status = { ...fieldsOf(object.status), observedGeneration: generation, typeChecking };
    updateObject(scopeOf({ machinery, resource: policies, manager, subresource: 'status' }), object, {
      ...draftOf(object),
      status,
    });
  };
}
