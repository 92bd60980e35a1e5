/** Explains a server's refusal of fields that a kind does not have. */

import { suggestName } from '../../../sdk/host/index.ts';
import { Workspace } from '../../../sdk/index.ts';

/** A node of an OpenAPI schema. */
interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
}

interface WorkspaceDefinition {
  readonly spec?: { readonly versions?: readonly { readonly schema?: { readonly openAPIV3Schema?: Schema } }[] };
}

/** Returns the schema of a member, or of an item for an index such as `[0]`. */
function schemaBelow(schema: Schema | undefined, step: string): Schema | undefined {
  if (step.startsWith('[')) return schema?.items;
  const { additionalProperties: any, properties = {} } = schema ?? {};
  return Object.hasOwn(properties, step) ? properties[step] : typeof any === 'object' ? any : undefined;
}

/** Returns the nearest field of a Workspace; undefined without a near one. */
async function nearestField(path: string): Promise<string | undefined> {
  const steps = path.match(/\[\d+\]|[^.[\]]+/g) ?? [];
  const definition = (await Workspace.crd?.()) as WorkspaceDefinition | undefined;
  const root = definition?.spec?.versions?.[0]?.schema?.openAPIV3Schema;
  const parent = steps.slice(0, -1).reduce(schemaBelow, root);
  return suggestName(steps.at(-1) ?? '', Object.keys(parent?.properties ?? {}));
}

/** Reads from a strict server's refusal the fields that it does not know, each once; none from any other refusal. */
export const unknownFields = (message: string): readonly string[] => [
  ...new Set([...message.matchAll(/unknown field "([^"]+)"/g)].map(([, field = '']) => field)),
];

/** Describes each unknown field in a line, for a Workspace with the nearest known one. */
export const unknownFieldLines = (fields: readonly string[], isWorkspace: boolean): Promise<readonly string[]> =>
  Promise.all(
    fields.map(async (field) => {
      const meant = isWorkspace ? await nearestField(field) : undefined;
      return `${field}: there is no such field${meant === undefined ? '' : `; did you mean ${meant}?`}`;
    }),
  );
