import * as client from '@kubernetes/client-node';
import test from 'ava';
import { builtinResources } from '../../../cluster/apis/builtin.ts';
import { builtinTypes } from '../../../cluster/apis/builtin-types.ts';
import type { TypeInfo, TypeRef } from '../../../cluster/resources/type-table.ts';

/** Model of `@kubernetes/client-node`, which its authors generate from Kubernetes' OpenAPI document. */
interface Model {
  getAttributeTypeMap(): readonly { readonly baseName: string }[];
}

const types = builtinTypes();
const models = new Map(Object.entries(client as unknown as Readonly<Record<string, Model>>));

/** Returns the model of a type; names that several groups share have the group's name in front. */
function modelOf({ name, goName, goPackage }: TypeInfo): Model | undefined {
  const version = goPackage.toUpperCase();
  const section = name.slice(0, 1).toUpperCase() + name.slice(1, name.indexOf('.'));
  return models.get(`${section}${version}${goName}`) ?? models.get(`${version}${goName}`);
}

/** Returns the types of all built-in kinds and of their parts. */
function reached(): ReadonlySet<string> {
  const found = new Set(builtinResources.map(({ type }) => type!));
  const parts = (type: TypeRef): void => {
    if (type.is === 'struct') found.add(type.name);
    else if (type.is !== 'scalar') parts(type.of);
  };
  for (const name of found) for (const field of types(name).fields.values()) parts(field.type);
  return found;
}
/** Types without fields, which have no model. */
const empty: ReadonlySet<string> = new Set(['apiextensions.CustomResourceSubresourceStatus']);

test('no kind, type or field is invented: the models of a client by others have them all', (t) => {
  const invented: string[] = [];
  for (const name of reached()) {
    const model = modelOf(types(name));
    const known = new Set(model?.getAttributeTypeMap().map(({ baseName }) => baseName));
    if (model === undefined && !empty.has(name)) invented.push(name);
    for (const field of types(name).fields.keys()) if (!known.has(field)) invented.push(`${name}.${field}`);
  }
  t.deepEqual(invented, []);
});
