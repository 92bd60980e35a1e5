import { type Fields, isFields } from '../objects/object.ts';
import { additionalOf, memberOf, memberPath, refusesNull, type Structural } from './structural.ts';

/** A value without what its schema does not know, and the paths of what is gone, sorted. */
export interface Pruned {
  readonly value: unknown;
  readonly unknown: readonly string[];
}

const resourceFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

interface Pruning {
  readonly unknown: string[];
  readonly path: string;
  /** Whether fields that the schema does not know are kept at this level. */
  readonly keeps: boolean;
}

const knownTo = (schema: Structural, name: string): boolean =>
  (schema.properties !== undefined && Object.hasOwn(schema.properties, name)) ||
  schema.additionalProperties !== undefined;

function prunedFields(schema: Structural | undefined, value: Fields, { unknown, path, keeps }: Pruning): Fields {
  let changed = false;
  const result: Fields = {};
  for (const [name, member] of Object.entries(value)) {
    const below = memberPath(path, name);
    const isKept = schema?.['x-kubernetes-embedded-resource'] === true && resourceFields.has(name);
    if (isKept || (keeps && (schema === undefined || !knownTo(schema, name)))) {
      result[name] = member;
    } else if (schema === undefined || !knownTo(schema, name)) {
      unknown.push(below);
      changed = true;
    } else {
      const pruned = prunedValue(memberOf(schema, name), member, { unknown, path: below, keeps: false });
      result[name] = pruned;
      changed ||= pruned !== member;
    }
  }
  return changed ? result : value;
}

function prunedValue(schema: Structural | undefined, value: unknown, pruning: Pruning): unknown {
  const keeps = pruning.keeps || schema?.['x-kubernetes-preserve-unknown-fields'] === true;
  if (isFields(value)) return prunedFields(schema, value, { ...pruning, keeps });
  if (!Array.isArray(value) || (keeps && schema?.items === undefined)) return value;
  const items = value.map((item, index) =>
    prunedValue(schema?.items, item, { ...pruning, path: `${pruning.path}[${index}]`, keeps }),
  );
  return items.every((item, index) => item === value[index]) ? value : items;
}

/**
 * Drops the fields that the schema does not know, but for a resource's own (apiVersion, kind, metadata) at the root and in embedded
 * resources, and for subtrees that preserve unknown fields. Unchanged parts are shared with the argument. Idempotent.
 */
export function prune(schema: Structural, value: unknown): Pruned {
  const unknown: string[] = [];
  const root: Structural = { ...schema, 'x-kubernetes-embedded-resource': true };
  const pruned = prunedValue(root, value, { unknown, path: '', keeps: false });
  return { value: pruned, unknown: unknown.sort() };
}

/** Drops nulls where the schema has no room for them and no default to put there; free-form parts keep theirs. */
export function dropNulls(schema: Structural | undefined, value: unknown): unknown {
  if (schema === undefined) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => dropNulls(schema.items, item));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isFields(value)) return value;
  let changed = false;
  const result: Fields = {};
  for (const [name, member] of Object.entries(value)) {
    const below = memberOf(schema, name);
    const isProperty = below !== undefined && below !== additionalOf(schema);
    if (member === null && isProperty && refusesNull(below) && below.default === undefined) {
      changed = true;
    } else {
      result[name] = dropNulls(below, member);
      changed ||= result[name] !== member;
    }
  }
  return changed ? result : value;
}
