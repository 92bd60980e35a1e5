/** Compares webhook configurations in the cluster with those that this release installs. */

import { isDeepStrictEqual } from 'node:util';
import { type Client, type Kind, NotFoundError, Service, Workspace } from '../../../sdk/index.ts';
import type { AdmissionRules, WebhookConfiguration } from '../../../sdk/webhooks/index.ts';
import type { Finding } from './finding.ts';

/** Kind of the configurations. */
export const ConfigurationKind: Kind<WebhookConfiguration> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
  namespaced: false,
};

type Entry = NonNullable<WebhookConfiguration['webhooks']>[number] &
  Pick<AdmissionRules, 'matchConditions'> & {
    readonly rules?: readonly {
      readonly apiGroups?: readonly string[];
      readonly apiVersions?: readonly string[];
      readonly resources?: readonly string[];
      readonly operations?: readonly string[];
    }[];
  };

const entriesOf = ({ webhooks = [] }: WebhookConfiguration): readonly Entry[] => webhooks;

/** Returns the shown form of a configuration. */
export const shownConfiguration = ({ metadata, webhooks = [] }: WebhookConfiguration): string =>
  `${metadata.name} (failurePolicy ${webhooks[0]?.failurePolicy})`;

const rulesOf = ({ rules = [] }: Entry) =>
  rules.map(({ apiGroups, apiVersions, resources, operations }) => ({ apiGroups, apiVersions, resources, operations }));

const calledServiceOf = ({ clientConfig: { service } }: Entry): string | undefined =>
  service && `${service.namespace}/${service.name}:${service.port ?? 443}${service.path ?? ''}`;

function differencesOf(found: Entry, wanted: Entry): readonly string[] {
  const conditions = new Map(found.matchConditions?.map(({ name, expression }) => [name, expression]));
  const place = calledServiceOf(found);
  return [
    ...(isDeepStrictEqual(rulesOf(found), rulesOf(wanted)) ? [] : [`the rules of ${wanted.name} differ`]),
    ...(place === undefined || place === calledServiceOf(wanted) ? [] : [`${wanted.name} calls ${place}`]),
    ...(wanted.matchConditions ?? [])
      .filter(({ name, expression }) => conditions.get(name) !== expression)
      .map(({ name }) =>
        conditions.has(name)
          ? `matchCondition ${name} of ${wanted.name} differs`
          : `${wanted.name} has no matchCondition ${name}`,
      ),
  ];
}

/** Returns the differences of a configuration from the desired one. Selectors, further conditions, policies, time limits and the address of a `url` may differ. */
export function differencesBetween(found: WebhookConfiguration, wanted: WebhookConfiguration): readonly string[] {
  const there = new Map(entriesOf(found).map((entry) => [entry.name, entry]));
  const served = new Set(entriesOf(wanted).map(({ name }) => name));
  return [
    ...entriesOf(wanted).flatMap((entry) => {
      const one = there.get(entry.name);
      return one === undefined ? [`there is no ${entry.name}`] : differencesOf(one, entry);
    }),
    ...[...there.keys()].filter((name) => !served.has(name)).map((name) => `${name} is not served`),
  ];
}

const isAboutWorkspaces = (entry: Entry): boolean =>
  (entry.rules ?? []).some(
    ({ apiGroups, resources }) => apiGroups?.includes(Workspace.group) && resources?.includes(Workspace.plural),
  );

/** Cluster with the configuration of an operator. */
interface ConfiguredCluster {
  readonly client: Client;
  readonly signal: AbortSignal;
  /** Name of the operator's own configuration. */
  readonly name: string;
  /** Service of the operator. */
  readonly service: { readonly namespace: string; readonly name: string };
}

/** Describes the problem of the Service that a configuration of another name calls; undefined without one. */
async function serviceProblem(
  { client, signal, service: own }: ConfiguredCluster,
  configuration: WebhookConfiguration,
): Promise<string | undefined> {
  const service = entriesOf(configuration).find(isAboutWorkspaces)?.clientConfig.service;
  if (service === undefined) return undefined;
  const { namespace, name } = service;
  const calls = `calls the Service ${namespace}/${name}`;
  if (namespace === own.namespace && name === own.name) return `${calls} of this operator too`;
  try {
    await client.get(Service, { namespace, name }, { signal });
    return undefined;
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return `${calls}, which is not there`;
  }
}

/** Returns leftover webhook configurations of earlier releases or removed operators, which refuse workspaces or validate them twice. */
export async function leftConfigurations(cluster: ConfiguredCluster): Promise<readonly Finding[]> {
  const { client, signal, name } = cluster;
  const { items } = await client.list(ConfigurationKind, { signal });
  const others = items.filter((one) => one.metadata.name !== name && entriesOf(one).some(isAboutWorkspaces));
  const findings: Finding[] = [];
  for (const one of others) {
    const flaw = await serviceProblem(cluster, one);
    const detail = `${shownConfiguration(one)} ${flaw}`;
    const next = `kubectl delete validatingwebhookconfiguration ${one.metadata.name}`;
    if (flaw !== undefined) findings.push({ check: 'webhook', status: 'problem', detail, next });
  }
  return findings;
}
