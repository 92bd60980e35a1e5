/** Environment of CEL expressions in admission. */

import { createEnvironment, type Environment } from './environment.ts';
import type { FieldTypes } from './scope.ts';
import { listOf, mapOf, structOf, type Type, types } from './typing/cel-type.ts';
import { libraryType } from './typing/declarations.ts';

const { string: text, int, bool, dyn, timestamp } = types;
const texts = listOf(text);
const textMap = mapOf(text, text);

const kind = structOf('kubernetes.GroupVersionKind');
const resource = structOf('kubernetes.GroupVersionResource');

/** Fields of the types that admission expressions use. */
const structs: Readonly<Record<string, Readonly<Record<string, Type>>>> = {
  'kubernetes.GroupVersionKind': { group: text, version: text, kind: text },
  'kubernetes.GroupVersionResource': { group: text, version: text, resource: text },
  'kubernetes.UserInfo': { username: text, uid: text, groups: texts, extra: mapOf(text, texts) },
  'kubernetes.AdmissionRequest': {
    kind,
    resource,
    subResource: text,
    requestKind: kind,
    requestResource: resource,
    requestSubResource: text,
    name: text,
    namespace: text,
    operation: text,
    userInfo: structOf('kubernetes.UserInfo'),
    dryRun: bool,
    options: dyn,
  },
  'kubernetes.NamespaceSpec': { finalizers: texts },
  'kubernetes.NamespaceCondition': {
    status: text,
    type: text,
    lastTransitionTime: timestamp,
    message: text,
    reason: text,
  },
  'kubernetes.NamespaceStatus': { conditions: listOf(structOf('kubernetes.NamespaceCondition')), phase: text },
  'kubernetes.NamespaceMetadata': {
    name: text,
    generateName: text,
    namespace: text,
    labels: textMap,
    annotations: textMap,
    UID: text,
    creationTimestamp: timestamp,
    deletionGracePeriodSeconds: int,
    deletionTimestamp: timestamp,
    generation: int,
    resourceVersion: text,
    finalizers: texts,
  },
  'kubernetes.Namespace': {
    metadata: structOf('kubernetes.NamespaceMetadata'),
    spec: structOf('kubernetes.NamespaceSpec'),
    status: structOf('kubernetes.NamespaceStatus'),
  },
};

const variablesType = 'kubernetes.variables';

/** Variables of admission expressions, besides objects, the request and the namespace. */
export interface Declared {
  /** Type of `object` and `oldObject`. @default dyn */
  readonly object?: Type;
  /** Type of `params`; undefined where there are none. */
  readonly params?: Type | undefined;
  readonly authorizer: boolean;
  /** True to declare `authorizer.requestResource`. @default as `authorizer` */
  readonly requestResource?: boolean;
  /** Types of variables by name; undefined where there are none. */
  readonly variables?: ReadonlyMap<string, Type> | undefined;
  /** Field types of objects and parameters. */
  readonly fieldsOf?: (struct: string) => FieldTypes | undefined;
}

/** Creates the environment of expressions in policies and match conditions. */
export function admissionEnvironment(declared: Declared): Environment {
  const { object = dyn, params, authorizer, requestResource = authorizer, variables, fieldsOf } = declared;
  const known: (readonly [string, Type])[] = [
    ['object', object],
    ['oldObject', object],
    ['request', structOf('kubernetes.AdmissionRequest')],
    ['namespaceObject', structOf('kubernetes.Namespace')],
  ];
  if (params !== undefined) known.push(['params', params]);
  if (authorizer) known.push(['authorizer', libraryType('authorizer')]);
  if (requestResource) known.push(['authorizer.requestResource', libraryType('resourceCheck')]);
  if (variables !== undefined) known.push(['variables', structOf(variablesType)]);
  return createEnvironment(known, (struct) => {
    if (struct === variablesType) return (field) => variables?.get(field);
    const fields = Object.hasOwn(structs, struct) ? structs[struct]! : undefined;
    return fields === undefined
      ? fieldsOf?.(struct)
      : (field) => (Object.hasOwn(fields, field) ? fields[field] : undefined);
  });
}

const kept: ReadonlySet<string> = new Set(
  'any bool bytes double duration int null string timestamp uint list map'.split(' '),
);

/** Returns the type of a variable from that of its expression; types that are not basic become dyn. */
export const variableType = (type: Type): Type =>
  kept.has(type.kind) ? { ...type, params: type.params.map(variableType) } : dyn;
