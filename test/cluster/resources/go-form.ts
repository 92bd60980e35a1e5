/** Formats values in error messages as the server's internal Go structs. */

import { escapedHtml, type FieldError } from '../apimachinery/field-error.ts';
import { unifiedDiff } from '../apimachinery/go/unified-diff.ts';
import type { Fields } from '../apimachinery/object.ts';
import { memberAsSent } from '../apimachinery/validation/empty-members.ts';
import { zeroes } from './decode.ts';
import { fieldsOf } from './defaulting.ts';
import { goNameOf, internalStruct } from './internal-structs.ts';
import type { FieldInfo, TypeRef, TypeTable } from './type-table.ts';

/** Value that a message shows as an internal Go struct, such as `core.Taint`. */
export interface GoValue {
  readonly [goType]: string;
  readonly value: unknown;
}

const goType: unique symbol = Symbol('the type of a value in messages');

/** Marks a value to be shown as an internal Go struct; `[core.Taint]` is a list of them. */
export const asGo = (type: string, value: unknown): GoValue => ({ [goType]: type, value });

/** Reports whether {@link asGo} has marked a value. */
export const isGoValue = (value: unknown): value is GoValue =>
  typeof value === 'object' && value !== null && goType in value;

/** Types that are part of a larger internal struct. */
const partOf: Readonly<Record<string, string>> = { 'core.PersistentVolumeSource': 'core.PersistentVolumeSpec' };

/** Fields of a pod that are internally in its security context, with their empty values. */
const inSecurityContext: Fields = {
  hostNetwork: false,
  hostPID: false,
  hostIPC: false,
  shareProcessNamespace: null,
  hostUsers: null,
};

function formOf(types: TypeTable, type: TypeRef, value: unknown): unknown {
  if (type.is === 'scalar') return value ?? zeroes[type.scalar] ?? null;
  if (type.is === 'struct') return structForm(types, type.name, fieldsOf(value));
  if (value === undefined || value === null) return null;
  if (type.is === 'list') return (value as unknown[]).map((item) => formOf(types, type.of, item));
  const entries = Object.entries(value as Fields).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, formOf(types, type.of, member)]));
}

const fieldForm = (types: TypeTable, { type, whenEmpty }: FieldInfo, value: unknown): unknown =>
  (value === undefined || value === null) && (whenEmpty === 'kept' || whenEmpty === 'null')
    ? null
    : formOf(types, type, value);

/** Field of an internal struct. */
interface GoField {
  readonly goName: string;
  readonly field: FieldInfo;
}

/** Returns the fields of an internal struct in its order. */
function fieldsIn(types: TypeTable, name: string): readonly GoField[] {
  const { fields, internalFields: known = internalStruct(name) } = types(partOf[name] ?? name);
  if (known === undefined) return [...fields.values()].map((field) => ({ goName: goNameOf(field.name), field }));
  return known.flatMap(({ name: member, goName }) => {
    const field = fields.get(member);
    return field === undefined ? [] : [{ goName, field }];
  });
}

/** Formats a struct. Metadata keeps its JSON names and is embedded. */
function structForm(types: TypeTable, name: string, value: Fields): unknown {
  if (name.startsWith('meta.')) return value;
  const form: Fields = {};
  for (const { goName, field } of fieldsIn(types, name)) {
    if (field.name === 'metadata') Object.assign(form, fieldsOf(value.metadata));
    else form[goName] = fieldForm(types, field, memberAsSent(value, field.name));
  }
  if (name !== 'core.PodSpec' || value.securityContext === undefined) return form;
  const moved = Object.entries(inSecurityContext).map(([member, none]) => [goNameOf(member), value[member] ?? none]);
  return { ...form, SecurityContext: { ...Object.fromEntries(moved), ...fieldsOf(form.SecurityContext) } };
}

/** Formats a value as the internal Go struct of a type: all fields, with Go's names in Go's order. */
export function goForm(types: TypeTable, type: string, value: unknown): unknown {
  if (!type.startsWith('['))
    return value === undefined || value === null ? null : structForm(types, type, fieldsOf(value));
  return formOf(types, { is: 'list', of: { is: 'struct', name: type.slice(1, -1) } }, value);
}

/** Two values of a type whose difference a message shows. */
export interface Comparison {
  readonly type: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Error whose value or difference is shown as internal Go structs. */
export interface ComparingError extends FieldError {
  /** Values whose difference follows the detail, on lines of its own. */
  readonly compared?: Comparison;
}

function differenceOf(types: TypeTable, { type, before, after }: Comparison): string {
  const textOf = (value: unknown): string => escapedHtml(JSON.stringify(goForm(types, type, value), null, 1));
  return unifiedDiff(textOf(before), textOf(after));
}

/** Formats the error as it is sent: marked values and comparisons as Go writes them. */
export function shownInGo(types: TypeTable, { compared, ...error }: ComparingError): FieldError {
  const detail = compared === undefined ? error.detail : `${error.detail}\n${differenceOf(types, compared)}`;
  const value = isGoValue(error.value) ? goForm(types, error.value[goType], error.value.value) : error.value;
  return { ...error, ...(detail !== undefined && { detail }), ...('value' in error && { value }) };
}
