import test from 'ava';
import { isJsonObject } from '../../../../sdk/api/json.ts';
import type { JsonSchema, Kind } from '../../../../sdk/api/kind.ts';
import { ClusterIntegrationConfig, IntegrationConfig } from '../../../../sdk/host/index.ts';
import { Workspace } from '../../../../sdk/index.ts';

/** Returns the paths of fields without a description. */
const undescribed = (schema: JsonSchema, path: string): readonly string[] => {
  const fields = Object.entries((schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>);
  const own = fields.filter(([, { description }]) => !description).map(([name]) => `${path}.${name}`);
  const inner = fields.flatMap(([name, child]) => undescribed(child, `${path}.${name}`));
  const elements = [schema.items, schema.additionalProperties].filter(isJsonObject) as readonly JsonSchema[];
  return [...own, ...inner, ...elements.flatMap((child) => undescribed(child, `${path}[]`))];
};

for (const kind of [Workspace, IntegrationConfig, ClusterIntegrationConfig] as readonly Kind[])
  test(`kubectl explain describes each field of ${kind.kind}`, async (t) => {
    const definition = await kind.crd?.();
    const schema = definition?.spec.versions[0]?.schema?.openAPIV3Schema as JsonSchema;
    t.deepEqual(undescribed(schema, kind.kind), []);
  });
