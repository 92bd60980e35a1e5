/** Strategic merge patch metadata of built-in types. */

import type { PatchField, PatchShape } from '../apimachinery/patch/patch-meta.ts';
import type { FieldInfo, TypeRef, TypeTable } from './type-table.ts';

const innerOf = (type: TypeRef): TypeRef => (type.is === 'list' ? type.of : type);

function fieldOf(types: TypeTable, { type, mergeKey }: FieldInfo): PatchField {
  const inner = innerOf(type);
  const structOf = (ref: TypeRef): PatchShape | undefined =>
    ref.is === 'struct' ? patchShapeOf(types, ref.name) : ref.is === 'map' ? mapShape(types, ref) : undefined;
  const shape = structOf(inner);
  return {
    list: type.is === 'list',
    merge: mergeKey !== undefined,
    ...(mergeKey !== undefined && mergeKey !== '' && { mergeKey }),
    ...(shape !== undefined && { shape }),
  };
}

/** Returns the shape of a map, whose members all have the same field. */
function mapShape(types: TypeTable, { of }: Extract<TypeRef, { is: 'map' }>): PatchShape | undefined {
  if (of.is === 'scalar') return undefined;
  const field = fieldOf(types, {
    name: '',
    type: of,
    required: false,
    whenEmpty: 'dropped',
    isPointer: false,
    protobuf: '',
    retainKeys: false,
    mapKeys: [],
  });
  return { field: () => field };
}

/** Returns the shape of a built-in type for strategic merge patches. */
export function patchShapeOf(types: TypeTable, name: string): PatchShape {
  const known = new Map<string, PatchField>();
  return {
    field(field) {
      const made = known.get(field);
      if (made !== undefined) return made;
      const info = types(name).fields.get(field);
      if (info === undefined) return undefined;
      const fresh = fieldOf(types, info);
      known.set(field, fresh);
      return fresh;
    },
  };
}
