import type { ResourceInfo, SubresourceInfo, Verb } from '../kinds/resource-info.ts';
import type { Fields } from '../objects/object.ts';
import { refTo } from './component.ts';

/** What an operation is about. */
export interface Subject {
  readonly info: ResourceInfo;
  readonly subresource?: SubresourceInfo;
  /** Component names of the object and of its list. */
  readonly object: string;
  readonly list: string;
}

const query = (name: string, type = 'string'): Fields => ({ name, in: 'query', schema: { type, uniqueItems: true } });
const path = (name: string): Fields => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string', uniqueItems: true },
});

const writeParameters = [query('dryRun'), query('fieldManager'), query('fieldValidation')];
const listParameters = [
  query('allowWatchBookmarks', 'boolean'),
  query('continue'),
  query('fieldSelector'),
  query('labelSelector'),
  query('limit', 'integer'),
  query('resourceVersion'),
  query('resourceVersionMatch'),
  query('sendInitialEvents', 'boolean'),
  query('timeoutSeconds', 'integer'),
  query('watch', 'boolean'),
];
const deleteParameters = [
  query('dryRun'),
  query('gracePeriodSeconds', 'integer'),
  query('orphanDependents', 'boolean'),
  query('propagationPolicy'),
];

interface Operation {
  readonly verb: Verb;
  readonly method: string;
  readonly action: string;
  readonly word: string;
  readonly parameters: readonly Fields[];
  readonly sends?: 'object' | 'patch' | 'options';
  readonly answers: 'object' | 'list' | 'status';
}

const objectOperations: readonly Operation[] = [
  { verb: 'get', method: 'get', action: 'get', word: 'read', parameters: [], answers: 'object' },
  {
    verb: 'update',
    method: 'put',
    action: 'put',
    word: 'replace',
    parameters: writeParameters,
    sends: 'object',
    answers: 'object',
  },
  {
    verb: 'delete',
    method: 'delete',
    action: 'delete',
    word: 'delete',
    parameters: deleteParameters,
    sends: 'options',
    answers: 'status',
  },
  {
    verb: 'patch',
    method: 'patch',
    action: 'patch',
    word: 'patch',
    parameters: [...writeParameters, query('force', 'boolean')],
    sends: 'patch',
    answers: 'object',
  },
];

const collectionOperations: readonly Operation[] = [
  { verb: 'list', method: 'get', action: 'list', word: 'list', parameters: listParameters, answers: 'list' },
  {
    verb: 'create',
    method: 'post',
    action: 'post',
    word: 'create',
    parameters: writeParameters,
    sends: 'object',
    answers: 'object',
  },
  {
    verb: 'deletecollection',
    method: 'delete',
    action: 'deletecollection',
    word: 'delete collection of',
    parameters: listParameters,
    sends: 'options',
    answers: 'status',
  },
];

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const content = (types: readonly string[], component: string): Fields =>
  Object.fromEntries(types.map((type) => [type, { schema: refTo(component) }]));

const patchTypes = ['application/apply-patch+yaml', 'application/json-patch+json', 'application/merge-patch+json'];

function bodyOf({ sends }: Operation, { info, object }: Subject): Fields {
  if (sends === undefined) return {};
  if (sends === 'object') return { requestBody: { content: content(['*/*'], object), required: true } };
  if (sends === 'options') return { requestBody: { content: content(['*/*'], `${meta}.DeleteOptions`) } };
  const types = info.custom === undefined ? [...patchTypes, 'application/strategic-merge-patch+json'] : patchTypes;
  return { requestBody: { content: content(types, `${meta}.Patch`), required: true } };
}

function operationOf(operation: Operation, subject: Subject): Fields {
  const { info, subresource, object, list } = subject;
  const { answers, parameters, action, word } = operation;
  const component = answers === 'object' ? object : answers === 'list' ? list : `${meta}.Status`;
  const part = subresource === undefined ? '' : `${subresource.name} of `;
  return {
    tags: [`${info.group === '' ? 'core' : info.group.split('.')[0]}_${info.version}`],
    description: `${word} ${part}the specified ${info.kind}`,
    ...(parameters.length > 0 && { parameters }),
    ...bodyOf(operation, subject),
    responses: { 200: { description: 'OK', content: content(['application/json', 'application/yaml'], component) } },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': {
      group: subresource?.group ?? info.group,
      version: subresource?.version ?? info.version,
      kind: subresource?.kind ?? info.kind,
    },
  };
}

const operationsOf = (table: readonly Operation[], verbs: readonly Verb[], subject: Subject): Fields =>
  Object.fromEntries(
    table
      .filter(({ verb }) => verbs.includes(verb))
      .map((operation) => [operation.method, operationOf(operation, subject)]),
  );

/** The paths of a resource below its group version's root, with what can be done there. */
export function pathsOf(root: string, subject: Subject): Fields {
  const { info } = subject;
  const scope = info.namespaced ? '/namespaces/{namespace}' : '';
  const namespace = info.namespaced ? [path('namespace')] : [];
  const collection = `${root}${scope}/${info.plural}`;
  const named = [path('name'), ...namespace, query('pretty')];
  const paths: Fields = {};
  const add = (at: string, operations: Fields, parameters: readonly Fields[]): void => {
    if (Object.keys(operations).length > 0) paths[at] = { ...operations, parameters };
  };
  add(collection, operationsOf(collectionOperations, info.verbs, subject), [...namespace, query('pretty')]);
  add(`${collection}/{name}`, operationsOf(objectOperations, info.verbs, subject), named);
  for (const subresource of info.subresources) {
    const at = `${collection}/{name}/${subresource.name}`;
    const below = { ...subject, subresource };
    const table = subresource.verbs.includes('create') ? collectionOperations : objectOperations;
    add(at, operationsOf(table, subresource.verbs, below), named);
  }
  if (info.namespaced && info.verbs.includes('list')) {
    add(`${root}/${info.plural}`, operationsOf(collectionOperations, ['list'], subject), [query('pretty')]);
  }
  return paths;
}
