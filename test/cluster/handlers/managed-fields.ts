/** Context of a call's write, with its field managers. */

import { type ManagedWrite, managerFromAgent } from '../managed-fields/field-manager.ts';
import { managedFieldsIn, managedWriteOf, type WriteByManager } from '../objects/managed-fields.ts';
import type { ManagedFields, WriteScope } from '../objects/write-scope.ts';
import type { KindRules } from '../server/kind-rules.ts';
import type { WriteOptions } from './parameters.ts';
import type { Call } from './resource-call.ts';

/** Returns the name of a field manager: the given one, or the client's user agent. */
export const managerOf = ({ request }: Call, given: string): string =>
  given === '' ? managerFromAgent(request.headers['user-agent']) : given;

const writingOf = (call: Call, rules: KindRules, given: string): WriteByManager => {
  const { server, resource, path } = call;
  return { server, resource, rules, manager: managerOf(call, given), subresource: path.subresource };
};

/** Returns the tracked write of a call; `given` is the client's `fieldManager`, or empty. */
export const trackedOf = (call: Call, rules: KindRules, given: string): ManagedWrite =>
  managedWriteOf(writingOf(call, rules, given));

/** Returns the computation of field managers for a call's plain write; `given` is the client's `fieldManager`, or empty. */
export const managedFieldsOf = (call: Call, rules: KindRules, given: string): ManagedFields =>
  managedFieldsIn(writingOf(call, rules, given));

/** Returns the context of a call's plain write with the client's options. */
export function writeScopeOf(call: Call, rules: KindRules, { dryRun, fieldManager }: WriteOptions): WriteScope {
  const { server, resource, path } = call;
  const managedFields = managedFieldsOf(call, rules, fieldManager);
  const scope = { server, resource, rules, dryRun, fieldManager, managedFields };
  return path.subresource === undefined ? scope : { ...scope, subresource: path.subresource };
}
