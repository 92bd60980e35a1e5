/** Builds the paths and operations of OpenAPI documents. */

import type { Fields } from '../apimachinery/object.ts';
import type { ResourceInfo, SubresourceInfo, Verb } from '../apimachinery/resource-info.ts';
import { refTo } from './component.ts';
import { capital, groupName, tagOf } from './operation-names.ts';
import { isCustom, type Operation, operations, type Subject, watchList } from './operation-table.ts';
import { withDescriptions } from './parameter-descriptions.ts';
import { inPath, optionQueries, query, sortedParameters } from './parameters.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const json = 'application/json';
const yaml = 'application/yaml';
const protobuf = 'application/vnd.kubernetes.protobuf';
const asStream = (type: string): string => `${type};stream=watch`;
const patchTypes = ['application/apply-patch+yaml', 'application/json-patch+json', 'application/merge-patch+json'];

const contentOf = (types: readonly string[], schema: Fields): Fields =>
  Object.fromEntries(types.map((type) => [type, { schema }]));

const answers: Readonly<Record<Operation['answers'], (subject: Subject) => Fields>> = {
  object: ({ object }) => refTo(object),
  list: ({ list }) => refTo(list),
  status: () => refTo(`${meta}.Status`),
  deleted: ({ info, object }) => refTo(info.deleteReturnsObject ? object : `${meta}.Status`),
  event: () => refTo(`${meta}.WatchEvent`),
  text: () => ({ type: 'string' }),
};

function typesOf({ answers: what }: Operation, subject: Subject): readonly string[] {
  if (what === 'text') return ['*/*'];
  if (isCustom(subject)) return [json, yaml];
  if (what === 'list' || what === 'event') return [json, asStream(json), protobuf, asStream(protobuf), yaml];
  return subject.subresource?.name === 'log' ? [json, protobuf, yaml, 'text/plain'] : [json, protobuf, yaml];
}

const descriptions = { 200: 'OK', 201: 'Created', 202: 'Accepted' } as const;

function responsesOf(operation: Operation, subject: Subject): Fields {
  const isLog = subject.subresource?.name === 'log';
  const content = contentOf(typesOf(operation, subject), answers[isLog ? 'text' : operation.answers](subject));
  // Documents do not list 201 for patches of custom resources.
  const codes = isCustom(subject) && operation.sends === 'patch' ? [] : operation.codes;
  const good = [200 as const, ...codes].map((code) => [code, { description: descriptions[code], content }]);
  return { ...Object.fromEntries(good), 401: { description: 'Unauthorized' } };
}

function bodyOf({ sends, action }: Operation, subject: Subject): Fields {
  const isOwn = isCustom(subject);
  if (sends === undefined || (isOwn && action === 'deletecollection')) return {};
  const types = isOwn ? [json, yaml] : ['*/*'];
  if (sends === 'object') return { requestBody: { content: contentOf(types, refTo(subject.object)), required: true } };
  if (sends === 'options') return { requestBody: { content: contentOf(types, refTo(`${meta}.DeleteOptions`)) } };
  const patches = isOwn ? patchTypes : [...patchTypes, 'application/strategic-merge-patch+json'];
  return { requestBody: { content: contentOf(patches, refTo(`${meta}.Patch`)), required: true } };
}

function gvkOf({ info, subresource }: Subject): Fields {
  if (subresource === undefined || info.custom !== undefined) {
    return { group: info.group, version: info.version, kind: info.kind };
  }
  const { group = info.group, version = info.version, kind } = subresource;
  return { group, version, kind };
}

/** Returns an operation id from the parts `read`, `AppsV1`, `Namespaced`, `Deployment`, `Scale`; clients omit the group in method names. */
function idOf(
  { word }: Operation,
  { info, subresource }: Subject,
  { group, ...place }: OperationIdParts & { group: string },
): string {
  const [verb = '', many = ''] = word.split(/(?=Collection)/);
  const scope = info.namespaced && place.end !== 'ForAllNamespaces' ? 'Namespaced' : '';
  const part = subresource === undefined ? '' : capital(subresource.name);
  return `${verb}${group}${many}${place.before ?? ''}${scope}${info.kind}${part}${place.list ?? ''}${place.end ?? ''}`;
}

/** Parts of operation ids that depend on the path. */
interface OperationIdParts {
  readonly before?: string;
  readonly list?: 'List';
  readonly end?: 'ForAllNamespaces' | 'WithPath';
}

function operationObject(operation: Operation, subject: Subject, place: OperationIdParts = {}): Fields {
  return {
    tags: [tagOf(subject.info)],
    description: operation.says(subject),
    operationId: idOf(operation, subject, { ...place, group: groupName(subject.info) }),
    parameters: withDescriptions(operation.asks(subject), {
      texts: subject.texts,
      action: operation.action,
      method: idOf(operation, subject, { ...place, group: '' }),
      kind: '',
    }),
    ...bodyOf(operation, subject),
    responses: responsesOf(operation, subject),
    'x-kubernetes-action': operation.action,
    'x-kubernetes-group-version-kind': gvkOf(subject),
  };
}

const nameOf = (parameter: Fields): string => `${parameter.in} ${parameter.name}`;

/** Returns a path item; parameters that all operations share move to the path. */
function pathItem(members: Readonly<Record<string, Fields>>, subject: Subject, asked: readonly Fields[]): Fields {
  const kind = String(gvkOf(subject).kind);
  const own = withDescriptions(asked, { texts: subject.texts, action: 'get', method: '', kind });
  const given = Object.values(members).map(({ parameters }) => parameters as readonly Fields[]);
  const [first = [], ...others] = given;
  const isShared = (one: Fields) => others.every((list) => list.some((other) => nameOf(other) === nameOf(one)));
  const shared = first.filter(isShared);
  const names = new Set(shared.map(nameOf));
  const without = ({ parameters, ...rest }: Fields): Fields => {
    const left = (parameters as readonly Fields[]).filter((one) => !names.has(nameOf(one)));
    const { tags, description, operationId, ...others } = rest;
    return {
      tags,
      description,
      operationId,
      ...(left.length > 0 && { parameters: sortedParameters(left) }),
      ...others,
    };
  };
  const entries = Object.entries(members).map(([method, operation]) => [method, without(operation)]);
  return { ...Object.fromEntries(entries), parameters: sortedParameters([...own, ...shared]) };
}

const collectionVerbs = ['list', 'create', 'deletecollection'] as const;
const objectVerbs = ['get', 'update', 'delete', 'patch'] as const;

const membersOf = (verbs: readonly Verb[], known: readonly Verb[], subject: Subject): Record<string, Fields> =>
  Object.fromEntries(
    verbs
      .filter((verb) => known.includes(verb))
      .map((verb) => [operations[verb].method, operationObject(operations[verb], subject)]),
  );

const connectMethods: Readonly<Partial<Record<Verb, readonly string[]>>> = {
  get: ['get'],
  create: ['post'],
  update: ['put'],
  delete: ['delete', 'options', 'head'],
  patch: ['patch'],
};

/** Returns the operations of a connecting subresource, whose kind holds only options. */
function connections(subject: Subject, place: OperationIdParts): Record<string, Fields> {
  const { kind, name, verbs } = subject.subresource!;
  const methods = verbs.flatMap((verb) => connectMethods[verb] ?? []);
  return Object.fromEntries(
    methods.map((method) => {
      const operation: Operation = {
        method,
        action: 'connect',
        word: 'connect',
        says: ({ info }) => `connect ${method.toUpperCase()} requests to ${name} of ${info.kind}`,
        asks: () => optionQueries[kind] ?? [],
        answers: 'text',
        codes: [],
      };
      return [method, operationObject(operation, subject, { ...place, before: capital(method) })];
    }),
  );
}

type Paths = Record<string, Fields>;

function subresourcePaths(at: string, subject: Subject, own: readonly Fields[]): Paths {
  const { subresource } = subject;
  const { kind, name, verbs } = subresource!;
  const path = `${at}/${name}`;
  if (kind in optionQueries) {
    const named = own.filter((one) => one.in === 'path');
    const item = pathItem(connections(subject, {}), subject, named);
    if (name !== 'proxy') return { [path]: item };
    return {
      [path]: item,
      [`${path}/{path}`]: pathItem(connections(subject, { end: 'WithPath' }), subject, [...named, inPath('path')]),
    };
  }
  return { [path]: pathItem(membersOf([...objectVerbs, 'create'], verbs, subject), subject, own) };
}

function watchPaths(root: string, below: string, subject: Subject): Paths {
  const { info } = subject;
  if (isCustom(subject) || !info.verbs.includes('watch')) return {};
  const namespace = info.namespaced ? [inPath('namespace')] : [];
  const own = [...namespace, query('pretty')];
  const list = (place: OperationIdParts) => ({ get: operationObject(watchList, subject, { list: 'List', ...place }) });
  return {
    [`${root}/watch${below}`]: pathItem(list({}), subject, own),
    [`${root}/watch${below}/{name}`]: pathItem({ get: operationObject(operations.watch, subject) }, subject, [
      inPath('name'),
      ...own,
    ]),
    ...(info.namespaced && {
      [`${root}/watch/${info.plural}`]: pathItem(list({ end: 'ForAllNamespaces' }), subject, [query('pretty')]),
    }),
  };
}

/** Returns the paths of a resource below its group version's root; `partOf` returns the subject of a subresource. */
export function pathsOf(root: string, subject: Subject, partOf: (subresource: SubresourceInfo) => Subject): Paths {
  const { info } = subject;
  const namespace = info.namespaced ? [inPath('namespace')] : [];
  const below = `${info.namespaced ? '/namespaces/{namespace}' : ''}/${info.plural}`;
  const one = `${root}${below}/{name}`;
  const named = [inPath('name'), ...namespace, query('pretty')];
  const paths: Paths = {
    [`${root}${below}`]: pathItem(membersOf(collectionVerbs, info.verbs, subject), subject, [
      ...namespace,
      query('pretty'),
    ]),
    [one]: pathItem(membersOf(objectVerbs, info.verbs, subject), subject, named),
    ...Object.assign({}, ...info.subresources.map((part) => subresourcePaths(one, partOf(part), named))),
    ...watchPaths(root, below, subject),
  };
  if (info.namespaced && info.verbs.includes('list')) {
    const everywhere = operationObject(operations.list, subject, { end: 'ForAllNamespaces' });
    paths[`${root}/${info.plural}`] = pathItem({ get: everywhere }, subject, [query('pretty')]);
  }
  return Object.fromEntries(Object.entries(paths).filter(([, item]) => Object.keys(item).length > 1));
}

/** Returns the path item of a group version's resource list. */
export const resourcesPath = (info: ResourceInfo): Fields => ({
  get: {
    tags: [tagOf(info)],
    description: 'get available resources',
    operationId: `get${groupName(info)}APIResources`,
    responses: {
      200: { description: 'OK', content: contentOf([json, protobuf, yaml], refTo(`${meta}.APIResourceList`)) },
      401: { description: 'Unauthorized' },
    },
  },
});
