/** OpenAPI v2 in protobuf. */

import { type Fields, isFields } from '../apimachinery/object.ts';
import {
  any,
  delimited,
  each,
  encodeMessage,
  type Kind,
  namedValues,
  numeric,
  one,
  type Shape,
  text,
} from './gnostic-writer.ts';

const schema = (value: unknown): Uint8Array => encodeMessage(schemaShape, value);
const types = (value: unknown): Uint8Array => Buffer.concat([value].flat().map((type) => text(1, String(type))));
const additional = (value: unknown): Uint8Array =>
  isFields(value) ? delimited(1, schema(value)) : numeric(2, value ? 1 : 0);

const schemaShape: Shape = {
  members: {
    $ref: [1, 'string'],
    format: [2, 'string'],
    title: [3, 'string'],
    description: [4, 'string'],
    default: [5, 'any'],
    multipleOf: [6, 'double'],
    maximum: [7, 'double'],
    exclusiveMaximum: [8, 'bool'],
    minimum: [9, 'double'],
    exclusiveMinimum: [10, 'bool'],
    maxLength: [11, 'int'],
    minLength: [12, 'int'],
    pattern: [13, 'string'],
    maxItems: [14, 'int'],
    minItems: [15, 'int'],
    uniqueItems: [16, 'bool'],
    maxProperties: [17, 'int'],
    minProperties: [18, 'int'],
    required: [19, 'string'],
    enum: [20, each(any)],
    additionalProperties: [21, one(additional)],
    type: [22, one(types)],
    items: [23, one((value) => delimited(1, schema(value)))],
    allOf: [24, each(schema)],
    properties: [25, namedValues(1, schema)],
    example: [30, 'any'],
  },
  extensions: 31,
};

const bodyShape: Shape = {
  members: {
    description: [1, 'string'],
    name: [2, 'string'],
    in: [3, 'string'],
    required: [4, 'bool'],
    schema: [5, one(schema)],
  },
};
const queryShape: Shape = {
  members: {
    required: [1, 'bool'],
    in: [2, 'string'],
    description: [3, 'string'],
    name: [4, 'string'],
    type: [6, 'string'],
    uniqueItems: [20, 'bool'],
  },
};
const pathShape: Shape = {
  members: {
    required: [1, 'bool'],
    in: [2, 'string'],
    description: [3, 'string'],
    name: [4, 'string'],
    type: [5, 'string'],
    uniqueItems: [19, 'bool'],
  },
};

function parameter(value: unknown): Uint8Array {
  const { in: place } = value as Fields;
  if (place === 'body') return delimited(1, delimited(1, encodeMessage(bodyShape, value)));
  const isPath = place === 'path';
  return delimited(1, delimited(2, delimited(isPath ? 4 : 3, encodeMessage(isPath ? pathShape : queryShape, value))));
}

const responseShape: Shape = {
  members: { description: [1, 'string'], schema: [2, one((value) => delimited(1, schema(value)))] },
};

const operationShape: Shape = {
  members: {
    tags: [1, 'string'],
    description: [3, 'string'],
    operationId: [5, 'string'],
    produces: [6, 'string'],
    consumes: [7, 'string'],
    parameters: [8, each(parameter)],
    responses: [9, namedValues(1, (value) => delimited(1, encodeMessage(responseShape, value)))],
  },
  extensions: 13,
};

const operation: Kind = one((value) => encodeMessage(operationShape, value));
const itemShape: Shape = {
  members: {
    get: [2, operation],
    put: [3, operation],
    post: [4, operation],
    delete: [5, operation],
    options: [6, operation],
    head: [7, operation],
    patch: [8, operation],
    parameters: [9, each(parameter)],
  },
};

const documentShape: Shape = {
  members: {
    swagger: [1, 'string'],
    info: [2, one((value) => encodeMessage({ members: { title: [1, 'string'], version: [2, 'string'] } }, value))],
    paths: [8, namedValues(2, (value) => encodeMessage(itemShape, value))],
    definitions: [9, namedValues(1, schema)],
  },
};

/** Encodes an OpenAPI v2 document as gnostic's protobuf. */
export const gnosticOf = (document: Fields): Uint8Array => encodeMessage(documentShape, document);
