/** Merge types of built-in kinds, for server-side apply. */

import type { FieldInfo, Scalar, TypeRef, TypeTable } from '../resources/type-table.ts';
import { deduced, type FieldType, type ListType, type MapType, type MergeType, untypedAtomic } from './merge-type.ts';

const scalars: Readonly<Record<Scalar, MergeType>> = {
  string: { scalar: 'string' },
  bytes: { scalar: 'string' },
  int32: { scalar: 'numeric' },
  int64: { scalar: 'numeric' },
  double: { scalar: 'numeric' },
  bool: { scalar: 'boolean' },
  quantity: { scalar: 'untyped' },
  time: { scalar: 'untyped' },
  microTime: { scalar: 'untyped' },
  intOrString: { scalar: 'untyped' },
  any: untypedAtomic,
  schemaOrBool: deduced,
  schemaOrArray: deduced,
  schemaOrStrings: deduced,
};

const zeroes: Partial<Record<Scalar, unknown>> = { string: '', bool: false, int32: 0, int64: 0, double: 0 };

/** Returns the default of a list map key: the schema's, or Go's zero for a field that is always written. */
function defaultOf({ type, whenEmpty, default: given }: FieldInfo): unknown {
  if (type.is !== 'scalar') return undefined;
  if (given === '') return zeroes[type.scalar];
  if (given !== undefined) return typeof zeroes[type.scalar] === 'number' ? Number(given) : given;
  return whenEmpty === 'shown' ? zeroes[type.scalar] : undefined;
}

/** Returns the merge type of a list; without a list type its strategic merge patch strategy decides. */
function listOf(
  of: () => MergeType,
  { listType, mergeKey, mapKeys }: Pick<FieldInfo, 'listType' | 'mergeKey' | 'mapKeys'>,
): ListType {
  const keys = mapKeys.length > 0 ? mapKeys : mergeKey ? [mergeKey] : [];
  const merging = mergeKey === undefined ? 'atomic' : mergeKey === '' ? 'set' : 'map';
  return { relation: listType ?? merging, keys, of };
}

const plainList = { mapKeys: [] };

const relatedAs = (type: MergeType, atomic: boolean): MergeType =>
  type.map === undefined || type.map.atomic === atomic ? type : { ...type, map: { ...type.map, atomic } };

/** Returns the merge types of a type table, each built on first use. */
export function builtinMergeTypes(types: TypeTable): (name: string) => MergeType {
  const known = new Map<string, MergeType>();

  const typeOf = (ref: TypeRef): MergeType => {
    if (ref.is === 'scalar') return scalars[ref.scalar];
    if (ref.is === 'struct') return structOf(ref.name);
    const { of } = ref;
    const inner = (): MergeType => typeOf(of);
    if (ref.is === 'list') return { list: listOf(inner, plainList) };
    return { map: { atomic: false, field: () => undefined, others: inner, isFree: false } };
  };
  /** A field's list or map type overrides that of its value's type. */
  const fieldTypeOf = (info: FieldInfo): MergeType => {
    const { type, listType, granular } = info;
    if (type.is === 'list') return { list: listOf(() => typeOf(type.of), info) };
    if (granular === true) return relatedAs(typeOf(type), false);
    return listType === 'atomic' ? relatedAs(typeOf(type), true) : typeOf(type);
  };
  const structOf = (name: string): MergeType => {
    const made = known.get(name);
    if (made !== undefined) return made;
    const info = types(name);
    const fields = new Map<string, FieldType>();
    const map: MapType = {
      atomic: info.atomic,
      others: undefined,
      isFree: false,
      field(member) {
        const found = fields.get(member);
        const field = found === undefined ? info.fields.get(member) : undefined;
        if (field === undefined) return found;
        const fresh = { type: fieldTypeOf(field), default: defaultOf(field) };
        fields.set(member, fresh);
        return fresh;
      },
    };
    const type = { map };
    known.set(name, type);
    return type;
  };
  return structOf;
}
