/** Converts OpenAPI v3 documents to v2. */

import { type Fields, isFields } from '../apimachinery/object.ts';
import { bearer, infoOf } from './document.ts';
import { sortedByName, sortedParameters } from './parameters.ts';
import { sharedParameters } from './shared-parameters.ts';

const oldRoot = '#/components/schemas/';

/** Keywords that OpenAPI v2 lacks, and defaults, which v2 documents omit. */
const unknownWords: ReadonlySet<string> = new Set(['oneOf', 'anyOf', 'not', 'nullable', 'default']);

const kindWord = 'x-kubernetes-group-version-kind';

/** Scalars that v3 expands to alternatives. */
const scalars: Readonly<Record<string, Fields>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { type: 'string' },
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { type: 'string', format: 'int-or-string' },
};

const mapValues = (fields: Fields, change: (value: unknown) => unknown): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value)]));

function wordOf(word: string, value: unknown): unknown {
  if (word === '$ref') return `#/definitions/${String(value).slice(oldRoot.length)}`;
  if (word === 'properties' && isFields(value)) return mapValues(value, (one) => schemaOf(one as Fields));
  if ((word === 'items' || word === 'additionalProperties') && isFields(value)) return schemaOf(value);
  return word === 'allOf' ? (value as readonly Fields[]).map(schemaOf) : value;
}

/** Reports whether a keyword is omitted because kubectl would take an open schema for a closed one. */
function isOpenWord(schema: Fields, word: string): boolean {
  const isOpen = schema.nullable === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (isOpen && (word === 'items' || word === 'properties')) return true;
  return word === 'type' && (isOpen || schema['x-kubernetes-int-or-string'] === true);
}

/** Converts a schema to v2. */
function schemaOf(schema: Fields): Fields {
  const { allOf, ...others } = schema;
  const [only, ...more] = Array.isArray(allOf) ? (allOf as Fields[]) : [];
  if (only !== undefined && more.length === 0 && '$ref' in only) return schemaOf({ ...others, ...only });
  const entries = Object.entries(schema)
    .filter(([word]) => !unknownWords.has(word) && !isOpenWord(schema, word))
    .map(([word, value]) => [word, wordOf(word, value)]);
  return Object.fromEntries(entries) as Fields;
}

/** Converts a component to v2; kinds that are open at their root have no schema. */
function definitionOf(schema: Fields): Fields {
  const kinds = schema[kindWord];
  const isOpen = kinds !== undefined && schema['x-kubernetes-preserve-unknown-fields'] === true;
  return isOpen ? { type: 'object', [kindWord]: kinds } : schemaOf(schema);
}

interface Content {
  readonly [type: string]: { readonly schema: Fields };
}

/** Members of parameters in Go's order; the names of shared parameters are hashes of their text. */
const parameterWords = ['uniqueItems', 'type', 'description', 'name', 'in', 'required', 'schema'];

function inOrder(parameter: Fields): Fields {
  const words = parameterWords.filter((word) => parameter[word] !== undefined && parameter[word] !== false);
  return Object.fromEntries(words.map((word) => [word, parameter[word]]));
}

const parameterOf = ({ schema, ...parameter }: Fields): Fields => inOrder({ ...parameter, ...(schema as Fields) });

interface Body {
  readonly consumes?: readonly string[];
  readonly parameter?: Fields;
}

const applyType = 'application/apply-patch+yaml';
const strategicType = 'application/strategic-merge-patch+json';
const lateTypes = [strategicType, applyType];

/** Returns the media types of patches in the order of v2. */
const consumedOf = (content: Content): readonly string[] =>
  Object.keys(content).sort((a, b) => lateTypes.indexOf(a) - lateTypes.indexOf(b));

function bodyOf(body: Fields | undefined): Body {
  if (body === undefined) return {};
  const content = body.content as Content;
  const [first] = Object.values(content);
  const schema = schemaOf(first!.schema);
  return {
    consumes: consumedOf(content),
    parameter: inOrder({ name: 'body', in: 'body', required: body.required, schema }),
  };
}

const producedFirst = ['text/plain', 'application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

/** Returns the produced media types in the order of v2: YAML before protobuf, streams last. */
function producedBy(responses: Fields): readonly string[] {
  const { content } = responses[200] as { readonly content: Content };
  const types = Object.keys(content);
  return [
    ...producedFirst.filter((type) => types.includes(type)),
    ...types.filter((type) => !producedFirst.includes(type)),
  ];
}

/** Returns the consumed media types of operations without a body: the produced ones where nothing else is known. */
function otherwiseConsumed(operation: Fields, produces: readonly string[]): readonly string[] | undefined {
  const kind = operation['x-kubernetes-group-version-kind'];
  if (kind !== undefined) return produces.includes(producedFirst[3]!) || produces.includes('*/*') ? ['*/*'] : produces;
  return String(operation.operationId).includes('OpenID') ? undefined : produces;
}

function operationOf({ requestBody, responses, parameters, ...operation }: Fields): Fields {
  const { consumes, parameter } = bodyOf(requestBody as Fields | undefined);
  const answers = Object.entries(responses as Fields).map(([code, response]) => {
    const { description, content } = response as { description: string; content?: Content };
    const [first] = Object.values(content ?? {});
    return [code, { description, ...(first !== undefined && { schema: schemaOf(first.schema) }) }];
  });
  const own = ((parameters ?? []) as Fields[]).map(parameterOf);
  const given = sortedParameters(parameter === undefined ? own : [parameter, ...own]);
  const produces = producedBy(responses as Fields);
  const taken = consumes ?? otherwiseConsumed(operation, produces);
  return {
    ...operation,
    ...(taken !== undefined && { consumes: taken }),
    produces,
    schemes: ['https'],
    ...(given.length > 0 && { parameters: given }),
    responses: Object.fromEntries(answers),
  };
}

const pathOf = ({ parameters, ...operations }: Fields): Fields => ({
  ...mapValues(operations, (operation) => operationOf(operation as Fields)),
  ...(parameters !== undefined && { parameters: (parameters as Fields[]).map(parameterOf) }),
});

const described = ({ description }: Fields): Fields => (description === undefined ? {} : { description });

/** Merges v3 documents into one v2 document, which older clients use for validation and `explain`. */
export function openApiV2(documents: readonly Fields[], version: string): Fields {
  const paths: Fields = {};
  const definitions: Fields = {};
  for (const document of documents) {
    Object.assign(
      paths,
      mapValues(document.paths as Fields, (path) => pathOf(path as Fields)),
    );
    const { schemas = {} } = document.components as { readonly schemas?: Readonly<Record<string, Fields>> };
    for (const [name, schema] of Object.entries(schemas)) {
      const made = scalars[name] === undefined ? definitionOf(schema) : { ...described(schema), ...scalars[name] };
      definitions[name] ??= made;
    }
  }
  const shared = sharedParameters(paths);
  return {
    swagger: '2.0',
    info: infoOf(version),
    paths: sortedByName(shared.paths),
    definitions: sortedByName(definitions),
    parameters: sortedByName(shared.parameters),
    securityDefinitions: { BearerToken: bearer },
    security: [{ BearerToken: [] }],
  };
}
