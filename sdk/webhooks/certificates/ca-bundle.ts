/** CA bundles in webhook configurations and definitions: reads them, and writes them by server-side apply. */

import { CustomResourceDefinitionKind } from '../../api/kinds.ts';
import type { KubeObject } from '../../api/object.ts';
import type { ConvertedDefinition, WebhookClientConfig, WebhookConfiguration, WebhookTarget } from '../installation.ts';

/** Webhook of a target that is called at one of our hosts, by its name; the conversion of a definition has none. */
interface Called {
  readonly name: string | undefined;
  readonly clientConfig: WebhookClientConfig;
}

/** Returns the host that an API server calls. */
function hostOf({ service, url }: WebhookClientConfig): string | undefined {
  if (service !== undefined) return `${service.name}.${service.namespace}.svc`;
  return url === undefined ? undefined : URL.parse(url)?.hostname;
}

const isDefinition = ({ kind }: WebhookTarget): boolean => kind.kind === CustomResourceDefinitionKind.kind;

function calledOf(target: WebhookTarget, object: KubeObject, hosts: readonly string[]): readonly Called[] {
  const all: readonly Called[] = isDefinition(target)
    ? [(object as Partial<ConvertedDefinition>).spec?.conversion?.webhook]
        .filter((webhook) => webhook !== undefined)
        .map(({ clientConfig }) => ({ name: undefined, clientConfig }))
    : ((object as WebhookConfiguration).webhooks ?? []);
  return all.filter(({ clientConfig }) => hosts.includes(hostOf(clientConfig) ?? ''));
}

/**
 * Returns the value that puts a bundle (PEM) into an object, to be applied: nothing but that field of the webhooks that are called at our hosts, and the
 * version that it was read at. Undefined when all have it, or none is called there. Pure.
 */
export function bundleApply(
  target: WebhookTarget,
  object: KubeObject,
  { bundle, hosts }: { readonly bundle: string; readonly hosts: readonly string[] },
): object | undefined {
  const caBundle = Buffer.from(bundle).toString('base64');
  const called = calledOf(target, object, hosts);
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
