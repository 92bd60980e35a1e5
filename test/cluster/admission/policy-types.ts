import type { ChangeHandler } from '../controllers/change-worker.ts';
import { fieldsOf } from '../kinds/checks.ts';
import type { TypeTable } from '../kinds/type-table.ts';
import { scopeOf } from '../objects/managed-fields.ts';
import { draftOf } from '../objects/object.ts';
import { updateObject } from '../objects/update.ts';
import type { Resource } from '../registry.ts';
import type { ServerContext } from '../server/server-context.ts';
import { createKindTypes } from './kind-types.ts';
import { expressionWarnings } from './type-check.ts';

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
