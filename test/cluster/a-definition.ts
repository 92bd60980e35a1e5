/** Parts of a definition that differ from the defaults; other members, such as `subresources`, go into its one version. */
interface DefinitionParts {
  /** @default 'Gadget' */
  readonly kind?: string;
  /** @default 'example.com' */
  readonly group?: string;
  /** @default 'Namespaced' */
  readonly scope?: 'Namespaced' | 'Cluster';
  readonly [ofVersion: string]: unknown;
}

/** Returns a CustomResourceDefinition with one version, `v1`, of the given schema. */
export function aDefinition(
  openAPIV3Schema: object,
  { kind = 'Gadget', group = 'example.com', scope = 'Namespaced', ...version }: DefinitionParts = {},
) {
  const plural = `${kind.toLowerCase()}s`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { plural, kind },
      versions: [{ name: 'v1', served: true, storage: true, ...version, schema: { openAPIV3Schema } }],
    },
  };
}
