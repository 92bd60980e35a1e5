/** ValidatingAdmissionPolicy status controller. */

import { createKindTypes } from '../../admission/kind-types.ts';
import { expressionWarnings } from '../../admission/type-check.ts';
import { draftOf } from '../../apimachinery/object.ts';
import { fieldsOf } from '../../apimachinery/validation/errors.ts';
import { scopeOf } from '../../objects/managed-fields.ts';
import { updateObject } from '../../objects/update.ts';
import type { Resource } from '../../resources/registry.ts';
import type { TypeTable } from '../../resources/type-table.ts';
import type { ServerContext } from '../../server/server-context.ts';
import type { ChangeHandler } from '../engine/change-worker.ts';

/** Creates the controller that type-checks ValidatingAdmissionPolicies and writes warnings to their status. */
export function policyTypesController(server: ServerContext, policies: Resource, table: TypeTable): ChangeHandler {
  const { registry } = server;
  const manager = 'validatingadmissionpolicy-status';
  return ({ type, collection, object }) => {
    if (collection !== policies.collection || type === 'DELETED') return;
    const { generation = 1 } = object.metadata;
    if (Number(fieldsOf(object.status).observedGeneration ?? 0) >= generation) return;
    const warnings = expressionWarnings(fieldsOf(object.spec), { registry, kinds: createKindTypes(table) });
    const typeChecking = warnings.length === 0 ? {} : { expressionWarnings: warnings };
    const status = { ...fieldsOf(object.status), observedGeneration: generation, typeChecking };
    updateObject(scopeOf({ server, resource: policies, manager, subresource: 'status' }), object, {
      ...draftOf(object),
      status,
    });
  };
}
