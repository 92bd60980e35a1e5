/** OpenAPI v3 documents in gnostic's protobuf encoding. */

import { type Fields, isFields } from '../apimachinery/object.ts';
import {
  any,
  delimited,
  double,
  each,
  encodeMessage,
  type Kind,
  namedValues,
  numeric,
  one,
  type Shape,
  text,
} from './gnostic-writer.ts';

/** Encodes a schema, or a reference to one. */
function schemaOrReference(value: unknown): Uint8Array {
  const { $ref } = value as Fields;
  if ($ref !== undefined) return delimited(2, text(1, String($ref)));
  return delimited(1, encodeMessage(schemaShape, value));
}

const inside =
  (write: (value: unknown) => Uint8Array) =>
  (value: unknown): Uint8Array =>
    delimited(1, write(value));

const additional = (value: unknown): Uint8Array =>
  isFields(value) ? delimited(1, schemaOrReference(value)) : numeric(2, value ? 1 : 0);

/** Encodes a default: a number, boolean or text; other values cannot be represented. */
function defaultValue(value: unknown): Uint8Array {
  if (typeof value === 'number') return double(1, value);
  if (typeof value === 'boolean') return numeric(2, value ? 1 : 0);
  return typeof value === 'string' ? text(3, value) : new Uint8Array();
}

const schemaShape: Shape = {
  members: {
    nullable: [1, 'bool'],
    example: [7, 'any'],
    title: [9, 'string'],
    multipleOf: [10, 'double'],
    maximum: [11, 'double'],
    exclusiveMaximum: [12, 'bool'],
    minimum: [13, 'double'],
    exclusiveMinimum: [14, 'bool'],
    maxLength: [15, 'int'],
    minLength: [16, 'int'],
    pattern: [17, 'string'],
    maxItems: [18, 'int'],
    minItems: [19, 'int'],
    uniqueItems: [20, 'bool'],
    maxProperties: [21, 'int'],
    minProperties: [22, 'int'],
    required: [23, 'string'],
    enum: [24, each(any)],
    type: [25, 'string'],
    allOf: [26, each(schemaOrReference)],
    oneOf: [27, each(schemaOrReference)],
    anyOf: [28, each(schemaOrReference)],
    not: [29, one((value) => encodeMessage(schemaShape, value))],
    items: [30, one(inside(schemaOrReference))],
    properties: [31, namedValues(1, schemaOrReference)],
    additionalProperties: [32, one(additional)],
    default: [33, one(defaultValue)],
    description: [34, 'string'],
    format: [35, 'string'],
  },
  extensions: 36,
};

const schema: Kind = one(schemaOrReference);
const content: Kind = namedValues(1, (value) => encodeMessage({ members: { schema: [1, schema] } }, value));

const parameterShape: Shape = {
  members: {
    name: [1, 'string'],
    in: [2, 'string'],
    description: [3, 'string'],
    required: [4, 'bool'],
    schema: [10, schema],
  },
};
const parameters: Kind = each(inside((value) => encodeMessage(parameterShape, value)));

const bodyShape: Shape = { members: { content: [2, content], required: [3, 'bool'] } };
const responseShape: Shape = { members: { description: [1, 'string'], content: [3, content] } };

const operationShape: Shape = {
  members: {
    tags: [1, 'string'],
    description: [3, 'string'],
    operationId: [5, 'string'],
    parameters: [6, parameters],
    requestBody: [7, one(inside((value) => encodeMessage(bodyShape, value)))],
    responses: [
      8,
      namedValues(
        2,
        inside((value) => encodeMessage(responseShape, value)),
      ),
    ],
  },
  extensions: 13,
};

const operation: Kind = one((value) => encodeMessage(operationShape, value));
const itemShape: Shape = {
  members: {
    get: [4, operation],
    put: [5, operation],
    post: [6, operation],
    delete: [7, operation],
    options: [8, operation],
    head: [9, operation],
    patch: [10, operation],
    parameters: [13, parameters],
  },
};

const securityShape: Shape = {
  members: { type: [1, 'string'], description: [2, 'string'], name: [3, 'string'], in: [4, 'string'] },
};

const documentShape: Shape = {
  members: {
    openapi: [1, 'string'],
    info: [2, one((value) => encodeMessage({ members: { title: [1, 'string'], version: [6, 'string'] } }, value))],
    paths: [4, namedValues(1, (value) => encodeMessage(itemShape, value))],
    components: [
      5,
      one((value) =>
        encodeMessage(
          {
            members: {
              schemas: [1, namedValues(1, schemaOrReference)],
              securitySchemes: [
                7,
                namedValues(
                  1,
                  inside((scheme) => encodeMessage(securityShape, scheme)),
                ),
              ],
            },
          },
          value,
        ),
      ),
    ],
  },
};

/** Encodes an OpenAPI v3 document as gnostic's protobuf. */
export const gnostic3Of = (document: Fields): Uint8Array => encodeMessage(documentShape, document);
