import * as client from '@kubernetes/client-node';
import test from 'ava';
import type { ResourceInfo, Verb } from '../../../cluster/apimachinery/resource-info.ts';
import { builtinResources } from '../../../cluster/apis/builtin-resources.ts';
import { builtinTypes } from '../../../cluster/apis/builtin-types.ts';
import type { TypeInfo, TypeRef } from '../../../cluster/resources/type-table.ts';

/** Model of `@kubernetes/client-node`, which its authors generate from Kubernetes' OpenAPI document. */
interface Model {
  getAttributeTypeMap(): readonly { readonly baseName: string }[];
}

const types = builtinTypes();
const models = new Map(Object.entries(client as unknown as Readonly<Record<string, Model>>));
const apis = new Map(Object.entries(client as unknown as Readonly<Record<string, { readonly prototype: object }>>));

/** Beginnings of the names of the client's methods. */
const methods: Readonly<Partial<Record<Verb, string>>> = {
  create: 'create',
  delete: 'delete',
  deletecollection: 'deleteCollection',
  get: 'read',
  list: 'list',
  patch: 'patch',
  update: 'replace',
};

const capitalized = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** Returns the methods for a kind and its subresources, but for connections, after the name of their class. */
function methodsOf({ group, version, kind, namespaced, verbs, subresources }: ResourceInfo): readonly string[] {
  const words = (group === '' ? 'core' : group.replace('.k8s.io', '')).split('.');
  const api = `${[...words, version].map(capitalized).join('')}Api`;
  const parts = subresources
    .filter((part) => part.kind === kind || part.kind === 'Scale')
    .map((part) => ({ name: capitalized(part.name), verbs: part.verbs }));
  return [{ name: '', verbs }, ...parts].flatMap((part) =>
    part.verbs.flatMap((verb) => {
      const method = methods[verb];
      return method === undefined ? [] : [`${api}.${method}${namespaced ? 'Namespaced' : ''}${kind}${part.name}`];
    }),
  );
}

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

test('no resource, verb or subresource is invented: a client by others has methods for them all', (t) => {
  const wanted = builtinResources.flatMap(methodsOf);
  const isThere = (method: string): boolean => {
    const [api = '', name = ''] = method.split('.');
    const known = Object.getOwnPropertyNames(apis.get(api)?.prototype ?? {}).map((one) => one.toLowerCase());
    return known.includes(name.toLowerCase());
  };
  t.deepEqual(
    wanted.filter((method) => !isThere(method)),
    [],
  );
  t.true(wanted.length > 400);
});

test('no type or field is invented: the models of a client by others have them all', (t) => {
  const invented: string[] = [];
  for (const name of reached()) {
    const model = modelOf(types(name));
    const known = new Set(model?.getAttributeTypeMap().map(({ baseName }) => baseName));
    if (model === undefined && !empty.has(name)) invented.push(name);
    for (const field of types(name).fields.keys()) if (!known.has(field)) invented.push(`${name}.${field}`);
  }
  t.deepEqual(invented, []);
});
