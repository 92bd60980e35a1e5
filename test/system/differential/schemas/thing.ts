/** The definition that schema scenarios use. */

import type { Step } from '../runner/scenario.ts';

/** Path of definitions. */
export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** Path of the scenario's definition. */
export const own = `${definitions}/things.{ns}.example.com`;
/** The group of its kind. */
export const group = '{ns}.example.com';
/** Path of its objects, by version. */
export const at = (version: string, name = ''): string =>
  `/apis/${group}/${version}/namespaces/{ns}/things${name && `/${name}`}`;
/** Header that requests a table. */
export const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

type Schema = Readonly<Record<string, unknown>>;

/** A version of the definition. */
export const versionOf = (name: string, more: object = {}, schema: Schema = {}) => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, ...schema } },
  ...more,
});

/** A definition of some versions. */
export const definition = (versions: readonly object[], spec: object = {}, plural = 'things') => ({
  metadata: { name: `${plural}.{ns}.example.com` },
  spec: { group, scope: 'Namespaced', names: { plural, kind: 'Thing' }, versions, ...spec },
});

/** One of its objects. */
export const thing = (version: string, name: string, more: object = {}) => ({
  apiVersion: `${group}/${version}`,
  kind: 'Thing',
  metadata: { name },
  ...more,
});

/** Waits until a version is served. */
export const served = (version: string, plural = 'things'): Step => ({
  path: `/apis/${group}/${version}/namespaces/{ns}/${plural}`,
  until: 200,
  silent: true,
});

/** Creates the definition, and waits until it is served. */
export const create = (versions: readonly object[], spec: object = {}): readonly Step[] => [
  { path: definitions, body: definition(versions, spec), silent: true },
  served('v1'),
];

/** Changes the definition by a merge patch. */
export const change = (body: object): Step => ({ method: 'PATCH', path: own, body });
/** Changes the definition by a JSON patch. */
export const changeJson = (...operations: object[]): Step => ({
  method: 'PATCH',
  path: own,
  body: operations,
  contentType: 'application/json-patch+json',
});

/** Schema with these properties of `spec`. */
export const spec = (properties: object): Schema => ({
  'x-kubernetes-preserve-unknown-fields': undefined,
  properties: { spec: { type: 'object', properties } },
});
