/** Objects of an installation, and the name and namespace of one operator. */

import type { KubeObject } from '../../../sdk/index.ts';

/** Object of a manifest. */
export type Manifest = KubeObject & Readonly<Record<string, unknown>>;

/** Operator that objects belong to. */
export interface Installed {
  /** Name of its Deployment. */
  readonly name: string;
  /** Its own namespace. */
  readonly namespace: string;
}

/** Returns the labels that select the pods of an operator. */
export const podLabels = ({ name }: Installed) => ({ 'app.kubernetes.io/name': name });

/** Name of the port of metrics and probes. */
export const metricsPort = 'metrics';

/** Port of metrics and probes in pods. */
export const metricsPortNumber = 8080;

/** Port of the webhook in pods. */
export const webhookPort = { name: 'webhooks', containerPort: 9443 } as const;

/** Formats objects as YAML, one document each. */
export async function yamlOf(objects: readonly object[]): Promise<string> {
  const { stringify } = await import('yaml');
  return objects.map((object) => `---\n${stringify(object, { lineWidth: 0, aliasDuplicateObjects: false })}`).join('');
}
