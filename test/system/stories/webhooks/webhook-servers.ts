/** Servers of webhooks in this process, which API servers of stories call at 127.0.0.1. */

import type { ExecutionContext } from 'ava';
import {
  type Client,
  CustomResourceDefinitionKind,
  ensureCrds,
  type Kind,
  type KubeObject,
} from '../../../../sdk/index.ts';
import {
  type Converter,
  convertedDefinition,
  createWebhooks,
  type OwnCertificatesOptions,
  ownCertificates,
  type Webhook,
  type WebhookConfiguration,
  webhookConfigurations,
} from '../../../../sdk/webhooks/index.ts';
import { until } from '../../real/until.ts';

/** Options of {@link serveWebhooks}. */
export interface ServedWebhooks {
  readonly client: Client;
  /** Name of the configurations, the service and the Secret. */
  readonly name: string;
  readonly webhooks: readonly Webhook[];
  readonly certificates?: Partial<OwnCertificatesOptions>;
}

/** Returns the kind of a webhook configuration. */
export const configurationKindOf = ({ kind }: Pick<KubeObject, 'kind'>): Kind<WebhookConfiguration> => ({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind,
  plural: `${kind.toLowerCase()}s`,
  namespaced: false,
});

/** Returns a value with each `service` of a `clientConfig` replaced by the URL of this machine. */
export function calledHere<T>(value: T, port: number): T {
  const text = JSON.stringify(value, (name, member) =>
    name === 'clientConfig' ? { url: `https://127.0.0.1:${port}${member.service.path}` } : member,
  );
  return JSON.parse(text) as T;
}

/** Serves webhooks, and returns how they are stopped; installed when it resolves: their configurations, and the definition of a converter. */
export async function serveWebhooks(
  t: ExecutionContext,
  { client, name, webhooks, certificates }: ServedWebhooks,
): Promise<{ readonly port: number; stop(): Promise<void>; uninstall(): Promise<void> }> {
  const service = { namespace: 'default', name };
  const server = createWebhooks({
    ...{ name, service, webhooks, port: 0, host: '127.0.0.1' },
    certificates: ownCertificates({ client, secret: name, hosts: ['127.0.0.1'], ...certificates }),
  });
  const stopping = new AbortController();
  const running = server.run(stopping.signal);
  const port = await server.listening;
  const configurations = webhookConfigurations({ name, service, webhooks }).map((one) => calledHere(one, port));
  const uninstall = async () => {
    for (const one of configurations) await client.delete(configurationKindOf(one), { name });
  };
  const stop = async () => {
    stopping.abort();
    await running;
  };
  t.teardown(async () => {
    await uninstall();
    await stop();
  });
  for (const one of configurations) await client.create(configurationKindOf(one), one);
  const converters = webhooks.filter((one): one is Converter => one.type === 'convert');
  for (const one of converters) {
    const definition = calledHere(await convertedDefinition(one, service), port);
    await ensureCrds(client, [{ ...one.kind, crd: async () => definition }]);
  }
  await until(async () => (await trusts(client, { configurations, converters })) || undefined, {
    message: () => `the CA of ${name} is not in its configurations within a minute`,
  });
  return { port, stop, uninstall };
}

/** Reports whether all configurations and definitions have a CA bundle. */
async function trusts(
  client: Client,
  installed: { readonly configurations: readonly KubeObject[]; readonly converters: readonly Converter[] },
): Promise<boolean> {
  const { configurations, converters } = installed;
  const found = await Promise.all(
    configurations.map((one) => client.get(configurationKindOf(one), { name: one.metadata.name })),
  );
  const definitions = await Promise.all(
    converters.map(({ kind }) => client.get(CustomResourceDefinitionKind, { name: `${kind.plural}.${kind.group}` })),
  );
  const configs = [
    ...found.flatMap(({ webhooks = [] }) => webhooks),
    ...definitions.map(
      ({ spec }) => (spec as Awaited<ReturnType<typeof convertedDefinition>>['spec']).conversion.webhook,
    ),
  ];
  return configs.every(({ clientConfig }) => clientConfig.caBundle !== undefined);
}
