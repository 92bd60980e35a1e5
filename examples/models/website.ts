/** Example resource: a website with its Deployment, Service and DNS record. */

import {
  type Deployment,
  defineKind,
  type KubeObject,
  type NewObject,
  type Service,
  type StandardCondition,
} from 'workspace-sequencer/sdk';
import * as z from 'zod';

/** Website: replicas of an image, reachable under a domain. */
export interface Website extends KubeObject {
  readonly spec: { readonly image: string; readonly replicas: number; readonly domain: string };
  readonly status?: { readonly conditions?: readonly StandardCondition[] };
}

const condition = z.object({
  type: z.string(),
  status: z.enum(['True', 'False', 'Unknown']),
  reason: z.string(),
  message: z.string(),
  observedGeneration: z.int().optional(),
  lastTransitionTime: z.string().meta({ format: 'date-time' }),
});

/** Kind of the websites. */
export const Website = defineKind<Website>({
  group: 'models.example.com',
  version: 'v1',
  kind: 'Website',
  schema: () =>
    z.object({
      spec: z.object({ image: z.string().min(1), replicas: z.int().min(0).default(1), domain: z.string().min(1) }),
      status: z
        .looseObject({
          conditions: z
            .array(condition)
            .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] })
            .optional(),
        })
        .optional(),
    }),
});

/** Finalizer that every example adds before it creates anything external. */
export const websiteFinalizer = 'models.example.com/dns';

const labelsOf = ({ metadata: { name } }: Website) => ({ app: name });

/** Returns the desired Deployment of a website. */
export const deploymentOf = (
  website: Website,
): NewObject<Deployment> & { readonly metadata: { readonly name: string } } => ({
  metadata: { name: website.metadata.name, namespace: website.metadata.namespace!, labels: labelsOf(website) },
  spec: {
    replicas: website.spec.replicas,
    selector: { matchLabels: labelsOf(website) },
    template: {
      metadata: { labels: labelsOf(website) },
      spec: {
        containers: [{ name: 'web', image: website.spec.image, ports: [{ containerPort: 80, protocol: 'TCP' }] }],
      },
    },
  },
});

/** Returns the desired Service of a website. */
export const serviceOf = (website: Website): NewObject<Service> & { readonly metadata: { readonly name: string } } => ({
  metadata: { name: website.metadata.name, namespace: website.metadata.namespace!, labels: labelsOf(website) },
  spec: { selector: labelsOf(website), ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 80 }] },
});

/** Returns the address that the domain of a website points to. */
export const addressOf = ({ metadata: { name, namespace } }: Website): string => `${name}.${namespace}.svc`;

/** DNS provider: a third party that does not know Kubernetes or the owners of records. */
export class Dns {
  readonly #records = new Map<string, string>();

  async get(domain: string): Promise<string | undefined> {
    return this.#records.get(domain);
  }

  /** Creates or updates a record. */
  async put(domain: string, address: string): Promise<void> {
    this.#records.set(domain, address);
  }

  /** Deletes a record; succeeds when there is none. */
  async drop(domain: string): Promise<void> {
    this.#records.delete(domain);
  }
}
