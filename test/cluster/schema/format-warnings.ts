/** Warnings for unknown formats in schemas. */

import type { AcceptedWrite } from '../apimachinery/accepted-write.ts';
import { isKnownFormat } from '../apimachinery/formats/formats.ts';
import { type Fields, isFields } from '../apimachinery/object.ts';

const listed = ['allOf', 'anyOf', 'oneOf'];
const named = ['properties', 'patternProperties', 'definitions'];

/** Yields a schema and all nested ones. */
function* schemasIn(schema: unknown): Generator<Fields> {
  if (Array.isArray(schema)) for (const one of schema) yield* schemasIn(one);
  if (!isFields(schema)) return;
  yield schema;
  yield* schemasIn(schema.items);
  for (const name of listed) yield* schemasIn(schema[name]);
  yield* schemasIn(schema.not);
  for (const name of named) yield* schemasIn(Object.values(isFields(schema[name]) ? schema[name] : {}));
  yield* schemasIn(schema.additionalProperties);
}

/** Returns the unknown formats in a definition's schemas. */
function unknownFormats({ spec }: Fields): readonly string[] {
  const { versions } = isFields(spec) ? spec : {};
  const schemas = (Array.isArray(versions) ? versions : []).map((version: Fields) => version.schema);
  return schemas
    .flatMap((schema) => [...schemasIn(isFields(schema) ? schema.openAPIV3Schema : undefined)])
    .filter(({ type, format }) => type === 'string' && typeof format === 'string' && format !== '')
    .map(({ format }) => String(format))
    .filter((format) => !isKnownFormat(format));
}

/** Returns the server's warnings for newly added unknown formats. */
export function formatWarnings(object: Fields, { former, subresource }: AcceptedWrite): readonly string[] {
  if (subresource !== undefined) return [];
  const before = new Set(former === undefined ? [] : unknownFormats(former));
  return unknownFormats(object)
    .filter((format) => !before.has(format))
    .map((format) => `unrecognized format ${JSON.stringify(format)}`);
}
