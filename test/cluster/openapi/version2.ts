import { type Fields, isFields } from '../objects/object.ts';
import { bearer } from './document.ts';

const oldRoot = '#/components/schemas/';

/** What OpenAPI v2 has no words for, and defaults, which are not told there. */
const unknownWords: ReadonlySet<string> = new Set(['oneOf', 'anyOf', 'not', 'nullable', 'default']);

const kindWord = 'x-kubernetes-group-version-kind';

/** Scalars that v3 spells out as alternatives. */
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

/** What kubectl would take for all there may be is left out where there may be more. */
function isOpenWord(schema: Fields, word: string): boolean {
  const isOpen = schema.nullable === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (isOpen && (word === 'items' || word === 'properties')) return true;
  return word === 'type' && (isOpen || schema['x-kubernetes-int-or-string'] === true);
}

/** A schema in the words of v2. */
function schemaOf(schema: Fields): Fields {
  const { allOf, ...others } = schema;
  const [only, ...more] = Array.isArray(allOf) ? (allOf as Fields[]) : [];
  if (only !== undefined && more.length === 0 && '$ref' in only) return schemaOf({ ...others, ...only });
  const entries = Object.entries(schema)
    .filter(([word]) => !unknownWords.has(word) && !isOpenWord(schema, word))
    .map(([word, value]) => [word, wordOf(word, value)]);
  return Object.fromEntries(entries) as Fields;
}

/** Of kinds that are open at their root nothing is said at all. */
function definitionOf(schema: Fields): Fields {
  const kinds = schema[kindWord];
  const isOpen = kinds !== undefined && schema['x-kubernetes-preserve-unknown-fields'] === true;
  return isOpen ? { type: 'object', [kindWord]: kinds } : schemaOf(schema);
}

interface Content {
  readonly [type: string]: { readonly schema: Fields };
}

const parameterOf = ({ schema, ...parameter }: Fields): Fields => ({ ...parameter, ...(schema as Fields) });

function bodyOf(body: Fields | undefined): { readonly consumes?: readonly string[]; readonly parameter?: Fields } {
  if (body === undefined) return {};
  const content = body.content as Content;
  const [first] = Object.values(content);
  const parameter = {
    name: 'body',
    in: 'body',
    ...(body.required === true && { required: true }),
    schema: schemaOf(first!.schema),
  };
  return { consumes: Object.keys(content), parameter };
}

/** Media types in the order of v2: YAML before protobuf. */
function producedBy(responses: Fields): readonly string[] {
  const { content } = responses[200] as { readonly content: Content };
  const types = Object.keys(content);
  return [...types.filter((type) => !type.includes('protobuf')), ...types.filter((type) => type.includes('protobuf'))];
}

function operationOf({ requestBody, responses, parameters, ...operation }: Fields): Fields {
  const { consumes, parameter } = bodyOf(requestBody as Fields | undefined);
  const answers = Object.entries(responses as Fields).map(([code, response]) => {
    const { description, content } = response as { description: string; content?: Content };
    const [first] = Object.values(content ?? {});
    return [code, { description, ...(first !== undefined && { schema: schemaOf(first.schema) }) }];
  });
  const given = ((parameters ?? []) as Fields[]).map(parameterOf);
  return {
    ...operation,
    consumes: consumes ?? ['*/*'],
    produces: producedBy(responses as Fields),
    schemes: ['https'],
    parameters: parameter === undefined ? given : [parameter, ...given],
    responses: Object.fromEntries(answers),
  };
}

const pathOf = ({ parameters, ...operations }: Fields): Fields => ({
  ...mapValues(operations, (operation) => operationOf(operation as Fields)),
  ...(parameters !== undefined && { parameters: (parameters as Fields[]).map(parameterOf) }),
});

/** One v2 document of all v3 documents: what older clients validate and explain by. */
export function openApiV2(documents: readonly Fields[], version: string): Fields {
  const paths: Fields = {};
  const definitions: Fields = {};
  for (const document of documents) {
    Object.assign(
      paths,
      mapValues(document.paths as Fields, (path) => pathOf(path as Fields)),
    );
    const { schemas } = document.components as { readonly schemas: Readonly<Record<string, Fields>> };
    for (const [name, schema] of Object.entries(schemas)) definitions[name] = scalars[name] ?? definitionOf(schema);
  }
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version },
    paths,
    definitions,
    securityDefinitions: { BearerToken: bearer },
    security: [{ BearerToken: [] }],
  };
}
