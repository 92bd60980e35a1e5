/** Prunes unknown fields and nulls. */

import { type Fields, isFields } from '../apimachinery/object.ts';
import { memberOf, refusesNull, type Structural } from './structural.ts';

/** Pruned value, and the sorted paths of removed fields. */
export interface Pruned {
  readonly value: unknown;
  readonly unknown: readonly string[];
}

const resourceFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

interface Pruning {
  /** Paths of removed fields, relative to the current position: `.name`, `[0].name`. */
  readonly unknown: string[];
  /** True when this level keeps unknown fields. */
  readonly keeps: boolean;
}

const isKnown = (schema: Structural | undefined, name: string): schema is Structural =>
  schema !== undefined &&
  ((schema.properties !== undefined && Object.hasOwn(schema.properties, name)) ||
    schema.additionalProperties !== undefined);

const withKeeping = (pruning: Pruning, keeps: boolean): Pruning =>
  pruning.keeps === keeps ? pruning : { unknown: pruning.unknown, keeps };

/** Prefixes the paths from an index on with a step. */
function lead(unknown: string[], from: number, step: string): void {
  for (let index = from; index < unknown.length; index += 1) unknown[index] = `${step}${unknown[index]}`;
}

function prunedFields(schema: Structural | undefined, value: Fields, pruning: Pruning): Fields {
  const { unknown, keeps } = pruning;
  const isResource = schema?.['x-kubernetes-embedded-resource'] === true;
  const inside = withKeeping(pruning, false);
  let changed = false;
  const result: Fields = {};
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (isResource && resourceFields.has(name)) {
      result[name] = member;
    } else if (isKnown(schema, name)) {
      const found = unknown.length;
      const pruned = prunedValue(memberOf(schema, name), member, inside);
      if (unknown.length > found) lead(unknown, found, `.${name}`);
      result[name] = pruned;
      changed ||= pruned !== member;
    } else if (keeps) {
      result[name] = member;
    } else {
      unknown.push(`.${name}`);
      changed = true;
    }
  }
  return changed ? result : value;
}

function prunedValue(schema: Structural | undefined, value: unknown, pruning: Pruning): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const keeps = pruning.keeps || schema?.['x-kubernetes-preserve-unknown-fields'] === true;
  if (isFields(value)) return prunedFields(schema, value, withKeeping(pruning, keeps));
  if (!Array.isArray(value) || (keeps && schema?.items === undefined)) return value;
  const { unknown } = pruning;
  const inside = withKeeping(pruning, keeps);
  const items = value.map((item, index) => {
    const found = unknown.length;
    const pruned = prunedValue(schema?.items, item, inside);
    if (unknown.length > found) lead(unknown, found, `[${index}]`);
    return pruned;
  });
  return items.every((item, index) => item === value[index]) ? value : items;
}

/**
 * Removes unknown fields, except a resource's own (apiVersion, kind, metadata) at the root and in embedded resources,
 * and subtrees that preserve unknown fields.
 * Unchanged parts are shared with the argument. Idempotent.
 */
export function prune(schema: Structural, value: unknown): Pruned {
  const unknown: string[] = [];
  const root: Structural = { ...schema, 'x-kubernetes-embedded-resource': true };
  const pruned = prunedValue(root, value, { unknown, keeps: false });
  return { value: pruned, unknown: unknown.map((path) => path.replace(/^\./, '')).sort() };
}

/** Reports whether a schema neither allows nulls nor replaces them by a default. */
const dropsNull = (schema: Structural | undefined): boolean =>
  schema !== undefined && refusesNull(schema) && schema.default === undefined;

/** Removes nulls that the schema neither allows nor replaces by a default; free-form parts keep theirs. */
export function dropNulls(schema: Structural | undefined, value: unknown): unknown {
  if (schema === undefined || typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) return dropMemberNulls(schema, value as Fields);
  const items = value.map((item) => dropNulls(schema.items, item));
  return items.every((item, index) => item === value[index]) ? value : items;
}

function dropMemberNulls(schema: Structural, value: Fields): Fields {
  let changed = false;
  const result: Fields = {};
  for (const name of Object.keys(value)) {
    const member = value[name];
    const below = memberOf(schema, name);
    if (member === null && dropsNull(below)) {
      changed = true;
    } else {
      result[name] = dropNulls(below, member);
      changed ||= result[name] !== member;
    }
  }
  return changed ? result : value;
}
