/** Settings of integrations: what users write in `spec.integrations.<name>`, checked by a schema of the author's. */

import type { core, ZodType } from 'zod';
import { isJsonObject } from '../../api/json.ts';
import type { Workspace } from '../../api/workspace.ts';
import { suggestName } from '../../suggest.ts';
import { messageOf } from '../../thrown.ts';
import { describeValue } from '../describe-value.ts';
import type { Integration } from './integration.ts';
import { withOutputs } from './output-references.ts';

/** Field of a workspace, such as `spec.integrations.shop.size`, and what is wrong with it. */
export interface WrongField {
  readonly field: string;
  readonly message: string;
}

/** Parsed settings, or the mistakes in them: as one text, and by field. */
export type SettingsReading =
  | { readonly settings: unknown }
  | { readonly mistake: string; readonly fields: readonly WrongField[] };

/** Limit of the mistakes, and of the unknown or known fields, that a message names. */
const max = { mistakes: 3, fields: 3, known: 16 };
/** Longest mistake, and longest name of a field, in characters. */
const longest = { mistake: 300, name: 64 };

/** Node of a JSON Schema, as zod writes it. */
interface SchemaNode {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, SchemaNode>>;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly items?: SchemaNode;
  readonly prefixItems?: readonly SchemaNode[];
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly allOf?: readonly SchemaNode[];
}

/** Describes what a user may write, as a JSON Schema. @throws Error of zod */
const shapeOf = (schema: ZodType): SchemaNode =>
  schema.toJSONSchema({ io: 'input', unrepresentable: 'any' }) as unknown as SchemaNode;

const choicesOf = ({ anyOf = [], oneOf = [], allOf = [] }: SchemaNode): readonly SchemaNode[] => [
  ...anyOf,
  ...oneOf,
  ...allOf,
];

/** Returns the path of the first object in a schema that drops unknown members; undefined when there is none. */
function droppingObject(shape: SchemaNode, path: string): string | undefined {
  const { properties, additionalProperties: others, items, prefixItems = [], $defs = {} } = shape;
  if (properties !== undefined && others === undefined) return path;
  const below: readonly (readonly [SchemaNode, string])[] = [
    ...Object.entries(properties ?? {}).map(([name, one]) => [one, `${path}.${name}`] as const),
    ...(typeof others === 'object' ? [[others, `${path}.*`] as const] : []),
    ...[...(items ? [items] : []), ...prefixItems].map((one) => [one, `${path}[]`] as const),
    ...[...choicesOf(shape), ...Object.values($defs)].map((one) => [one, path] as const),
  ];
  for (const [one, at] of below) {
    const found = droppingObject(one, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Describes why a schema cannot be used for what users write; undefined when it can. @param at the value's name in the description */
export function mistakeInSettingsSchema(schema: unknown, at = 'settings'): string | undefined {
  const isSchema =
    isJsonObject(schema) && ['safeParse', 'toJSONSchema'].every((name) => typeof schema[name] === 'function');
  if (!isSchema) return `must be a schema of zod 4; found ${describeValue(schema)}`;
  try {
    const path = droppingObject(shapeOf(schema as unknown as ZodType), at);
    return (
      path && `${path} drops misspelt members: z.strictObject({ … }) tells them, and z.looseObject({ … }) keeps them`
    );
  } catch (error) {
    return `cannot be described as a JSON Schema: ${messageOf(error)}`;
  }
}

/** Returns a node with the targets of its `$ref` and its alternatives, recursively. */
function reachableNodes(root: SchemaNode, node: SchemaNode, seen = new Set<SchemaNode>()): readonly SchemaNode[] {
  if (seen.has(node)) return [];
  seen.add(node);
  const { $ref } = node;
  const referred = $ref === '#' ? root : root.$defs?.[$ref?.replace('#/$defs/', '') ?? ''];
  return [
    node,
    ...[...(referred ? [referred] : []), ...choicesOf(node)].flatMap((one) => reachableNodes(root, one, seen)),
  ];
}

/** Returns the names of the members that are known at a path. */
function knownAt(root: SchemaNode, path: readonly PropertyKey[]): readonly string[] {
  const nodes = path.reduce<readonly SchemaNode[]>(
    (all, step) => {
      const below = all.flatMap(({ properties = {}, additionalProperties: others, items, prefixItems = [] }) => {
        if (typeof step === 'number') return prefixItems[step] ?? items ?? [];
        const name = String(step);
        return Object.hasOwn(properties, name) ? properties[name]! : typeof others === 'object' ? others : [];
      });
      return [...new Set(below)].flatMap((one) => reachableNodes(root, one));
    },
    reachableNodes(root, root),
  );
  return [...new Set(nodes.flatMap(({ properties = {} }) => Object.keys(properties)))];
}

const fieldAt = (at: string, path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : `${text}.${String(step).slice(0, longest.name)}`),
    at,
  );

/** Replaces each issue of a union by the issues of its alternative that has the fewest. */
const flat = (issues: readonly core.$ZodIssue[]): readonly core.$ZodIssue[] =>
  issues.flatMap((issue) => {
    if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
    const inner = issue.errors.toSorted((a, b) => a.length - b.length)[0]!;
    return flat(inner.map((one) => ({ ...one, path: [...issue.path, ...one.path] })));
  });

/** Describes each unknown field, with the known one that was probably meant. */
function unknownFields(at: string, root: SchemaNode, issue: core.$ZodIssueUnrecognizedKeys): readonly WrongField[] {
  const known = knownAt(root, issue.path);
  return issue.keys.slice(0, max.fields).map((key) => {
    const meant = suggestName(key, known);
    const advice = meant === undefined ? `known are ${known.slice(0, max.known).join(', ')}` : `did you mean ${meant}?`;
    return { field: fieldAt(at, [...issue.path, key]), message: `there is no such field; ${advice}` };
  });
}

/** Describes mistakes: misspelt fields first, since a missing one is mostly their consequence. */
function wrongFields(at: string, schema: ZodType, issues: readonly core.$ZodIssue[]): readonly WrongField[] {
  const all = flat(issues);
  const misspelt = all.filter((issue) => issue.code === 'unrecognized_keys').slice(0, max.mistakes);
  const root = misspelt.length > 0 ? shapeOf(schema) : {};
  const others = all.filter(({ code }) => code !== 'unrecognized_keys').slice(0, max.mistakes);
  return [
    ...misspelt.flatMap((issue) => unknownFields(at, root, issue)),
    ...others.map(({ path, message }) => ({ field: fieldAt(at, path), message })),
  ].slice(0, max.mistakes);
}

const failedReading = (fields: readonly WrongField[]): SettingsReading => ({
  mistake: fields.map(({ field, message }) => `${field}: ${message}`.slice(0, longest.mistake)).join('; '),
  fields,
});

/**
 * Reads the settings of an integration in a workspace: `spec.integrations.<name>`, with the outputs in their place where the integration has `references`.
 * Takes the time of the schema; the mistake has 1000 characters at most, and names each field.
 */
export function readSettings(
  { name, settings: schema, references }: Pick<Integration, 'name' | 'settings' | 'references'>,
  workspace: Workspace,
): SettingsReading {
  if (schema === undefined) return { settings: undefined };
  const at = `spec.integrations.${name}`;
  const all = workspace.spec.integrations ?? {};
  const written: unknown = Object.hasOwn(all, name) ? all[name] : undefined;
  return readBySchema(schema, at, () => (references === undefined ? written : withOutputs(workspace, written)));
}

/** Reads a value by a schema; mistakes name their field. @param at the value's place in its object */
export function readBySchema(schema: ZodType, at: string, written: () => unknown): SettingsReading {
  try {
    const { success, data, error } = schema.safeParse(written());
    return success ? { settings: data } : failedReading(wrongFields(at, schema, error.issues));
  } catch (error) {
    return failedReading([{ field: at, message: messageOf(error) }]);
  }
}
