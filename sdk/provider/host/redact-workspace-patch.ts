/** Redacts secrets in patches. */

import type { JsonPatchOperation } from '../../api/patch.ts';
import type { Patch } from '../../client/client.ts';

type Redact = (text: string) => string;
type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Members of a status with texts of integrations, and the name of the text in each item. */
const textIn: Fields = { conditions: 'reason', guards: 'cause' };

const redactedMember = (value: unknown, name: string, redact: Redact): unknown =>
  isFields(value) && typeof value[name] === 'string' ? { ...value, [name]: redact(value[name]) } : value;

function redactedItems(value: unknown, name: string, redact: Redact): unknown {
  if (Array.isArray(value)) return value.map((item) => redactedMember(item, name, redact));
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactedMember(item, name, redact)]));
}

/** Redacts a value written at a path below `status`; ids are left unchanged. */
function redactedStatus(value: unknown, path: readonly string[], redact: Redact): unknown {
  const [member, item, field, ...deeper] = path;
  if (member === undefined)
    return isFields(value)
      ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, redactedStatus(one, [name], redact)]))
      : value;
  const name = textIn[member];
  if (typeof name !== 'string' || deeper.length > 0) return value;
  if (item === undefined) return redactedItems(value, name, redact);
  if (field === undefined) return redactedMember(value, name, redact);
  return field === name && typeof value === 'string' ? redact(value) : value;
}

function redactedOperation(operation: JsonPatchOperation, redact: Redact): JsonPatchOperation {
  const [, root, ...rest] = operation.path.split('/');
  if (root !== 'status' || (operation.op !== 'add' && operation.op !== 'replace')) return operation;
  return { ...operation, value: redactedStatus(operation.value, rest, redact) };
}

/** Redacts the texts of integrations in a patch of a workspace: reasons of conditions and causes in the journal. Tests are left unchanged. */
export const redactWorkspacePatch = (patch: Patch, redact: Redact): Patch =>
  patch.type === 'json'
    ? { ...patch, operations: patch.operations.map((operation) => redactedOperation(operation, redact)) }
    : patch;
