/** CA bundles of webhook configurations and CustomResourceDefinitions. */

import { CustomResourceDefinitionKind } from '../../api/kinds.ts';
import type { KubeObject } from '../../api/object.ts';
import type { ConvertedDefinition, WebhookClientConfig, WebhookConfiguration, WebhookTarget } from '../installation.ts';

/** Webhook of a target that is called at one of our hosts. `name` is undefined for the conversion of a definition. */
interface CalledWebhook {
  readonly name: string | undefined;
  readonly clientConfig: WebhookClientConfig;
}

/** Returns the host that an API server calls. */
function hostOf({ service, url }: WebhookClientConfig): string | undefined {
  if (service !== undefined) return `${service.name}.${service.namespace}.svc`;
  return url === undefined ? undefined : URL.parse(url)?.hostname;
}

const isDefinition = ({ kind }: WebhookTarget): boolean => kind.kind === CustomResourceDefinitionKind.kind;

function calledWebhooks(target: WebhookTarget, object: KubeObject, hosts: readonly string[]): readonly CalledWebhook[] {
  const all: readonly CalledWebhook[] = isDefinition(target)
    ? [(object as Partial<ConvertedDefinition>).spec?.conversion?.webhook]
        .filter((webhook) => webhook !== undefined)
        .map(({ clientConfig }) => ({ name: undefined, clientConfig }))
    : ((object as WebhookConfiguration).webhooks ?? []);
  return all.filter(({ clientConfig }) => hosts.includes(hostOf(clientConfig) ?? ''));
}

/**
 * Returns the object for a server-side apply that sets the CA bundle (PEM) of the webhooks that are called at our hosts, and no other field. It has the
 * resourceVersion of `object`. Undefined when all of them have the bundle, or there are none. Pure.
 */
export function bundleApply(
  target: WebhookTarget,
  object: KubeObject,
  { bundle, hosts }: { readonly bundle: string; readonly hosts: readonly string[] },
): object | undefined {
  const caBundle = Buffer.from(bundle).toString('base64');
  const called = calledWebhooks(target, object, hosts);
  if (called.every(({ clientConfig }) => clientConfig.caBundle === caBundle)) return undefined;
  const { name, uid, resourceVersion } = object.metadata;
  const clientConfig = { caBundle };
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: { name, uid, resourceVersion },
    ...(isDefinition(target)
      ? { spec: { conversion: { webhook: { clientConfig } } } }
      : { webhooks: called.map((one) => ({ name: one.name, clientConfig })) }),
  };
}
