/** What of a definition is not as it usually is; the rest is said of its one version, such as `subresources`. */
interface DefinitionParts {
  /** @default 'Gadget' */
  readonly kind?: string;
  /** @default 'example.com' */
  readonly group?: string;
  /** @default 'Namespaced' */
  readonly scope?: 'Namespaced' | 'Cluster';
  readonly [ofVersion: string]: unknown;
}

/** A CustomResourceDefinition with one version, `v1`, of this schema. */
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
