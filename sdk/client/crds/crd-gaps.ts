/** Compares a CRD's schema with the one that the server serves. */

import type { CustomResourceDefinition, JsonSchema } from '../../api/kind.ts';

/** One version of a definition, with its schema. */
export type CrdVersion = CustomResourceDefinition['spec']['versions'][number];

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const schemasIn = (value: unknown): Readonly<Record<string, JsonSchema>> =>
  isSchema(value) ? (value as Readonly<Record<string, JsonSchema>>) : {};

const keepsUnknown = 'x-kubernetes-preserve-unknown-fields';
const upperBounds = ['maxLength', 'maxItems', 'maxProperties', 'maximum'];
const lowerBounds = ['minLength', 'minItems', 'minProperties', 'minimum'];
const sameOrAbsent = [
  ...['type', 'format', 'pattern', 'multipleOf', 'allOf', 'anyOf', 'oneOf', 'not'],
  ...['x-kubernetes-list-type', 'x-kubernetes-list-map-keys'],
];
/** Conditions under which the values of a keyword may differ without narrowing the schema. */
const allowedDifferences = new Map<string, (ours: unknown, theirs: unknown) => boolean>([
  ['type', (ours, theirs) => ours === 'integer' && theirs === 'number'],
  ['x-kubernetes-list-type', (_, theirs) => theirs === 'atomic'],
]);

/** Reports whether `served` allows less than `written` by this keyword. */
function isNarrower(keyword: string, written: JsonSchema, served: JsonSchema): boolean {
  const [ours, theirs] = [written[keyword], served[keyword]];
  if (theirs === undefined) return false;
  if (upperBounds.includes(keyword)) return typeof ours !== 'number' || ours > Number(theirs);
  if (lowerBounds.includes(keyword)) return typeof ours !== 'number' || ours < Number(theirs);
  return JSON.stringify(ours) !== JSON.stringify(theirs) && allowedDifferences.get(keyword)?.(ours, theirs) !== true;
}

function hasUnknownRules(written: JsonSchema, served: JsonSchema): boolean {
  const ruleOf = (one: unknown) => (isSchema(one) ? one.rule : one);
  const known = new Set(listOf(written['x-kubernetes-validations']).map(ruleOf));
  return listOf(served['x-kubernetes-validations']).some((one) => !known.has(ruleOf(one)));
}

/** Describes the values that `served` rejects though `written` allows them; without those of members and items. */
function refusals(written: JsonSchema, served: JsonSchema): readonly string[] {
  const narrower = [...sameOrAbsent, ...upperBounds, ...lowerBounds].filter((one) => isNarrower(one, written, served));
  const values = new Set(listOf(served.enum));
  const unknown = listOf(written.enum).filter((value) => !values.has(value));
  const required = new Set(listOf(written.required));
  return [
    ...narrower.map((keyword) => `is refused by ${keyword} ${JSON.stringify(served[keyword])}`),
    ...(served.enum !== undefined && written.enum === undefined ? ['is refused unless it is one of an enum'] : []),
    ...(served.enum === undefined ? [] : unknown.map((value) => `is refused when it is ${JSON.stringify(value)}`)),
    ...listOf(served.required)
      .filter((name) => !required.has(name))
      .map((name) => `is refused without ${String(name)}`),
    ...(written.nullable === true && served.nullable !== true ? ['is refused when it is null'] : []),
    ...(hasUnknownRules(written, served) ? ['has a rule that this release does not know'] : []),
  ];
}

/** Returns the schemas of the fields below a schema: the named ones, and `*` for those of a map or the items of a list. */
function fieldsOf(schema: JsonSchema): readonly (readonly [string, JsonSchema])[] {
  const any = [schema.items, schema.additionalProperties].filter(isSchema);
  return [...Object.entries(schemasIn(schema.properties)), ...any.map((one) => ['*', one] as const)];
}

/** Returns the served schema of a field; undefined when the server drops the field. */
function servedField(name: string, served: JsonSchema): JsonSchema | undefined {
  const any = isSchema(served.items) ? served.items : served.additionalProperties;
  const named = name === '*' ? undefined : schemasIn(served.properties)[name];
  if (named !== undefined || isSchema(any)) return named ?? (any as JsonSchema);
  if (served[keepsUnknown] === true) return { [keepsUnknown]: true };
  return any === true ? {} : undefined;
}

/**
 * Describes the values valid under `written` that a server with the schema `served` would drop or reject, as sentences that begin with the path.
 * Takes time linear in the size of both schemas. Empty when all values valid under `written` are stored as sent.
 */
export function schemaGaps(written: JsonSchema, served: JsonSchema, path: string): readonly string[] {
  const below = fieldsOf(written).flatMap(([name, schema]) => {
    const field = servedField(name, served);
    const where = `${path}.${name}`;
    return field === undefined ? [`${where} is dropped`] : schemaGaps(schema, field, where);
  });
  const dropsOthers = written[keepsUnknown] === true && served[keepsUnknown] !== true;
  return [
    ...refusals(written, served).map((what) => `${path} ${what}`),
    ...(dropsOthers ? [`${path}: members that the schema does not name are dropped`] : []),
    ...below,
  ];
}

/** Describes the parts of the status by `written` that a server with `served` would not keep; empty for kinds without a status. */
export function statusGaps(written: CrdVersion, served: CrdVersion | undefined): readonly string[] {
  const statusOf = (version: CrdVersion) => schemasIn(version.schema?.openAPIV3Schema.properties).status;
  const status = statusOf(written);
  if (status === undefined) return [];
  if (served === undefined) return [`version ${written.name} is not served`];
  const servedStatus = statusOf(served) ?? servedField('status', served.schema?.openAPIV3Schema ?? {});
  return [
    ...(written.subresources?.status && !served.subresources?.status ? ['the subresource status is not served'] : []),
    ...(servedStatus === undefined ? ['status is dropped'] : schemaGaps(status, servedStatus, 'status')),
  ];
}
