/** Webhook configurations and CustomResourceDefinitions by which API servers call webhooks. */

import { type CustomResourceDefinition, type Kind, resourceOf } from '../api/kind.ts';
import { CustomResourceDefinitionKind } from '../api/kinds.ts';
import type { KubeObject } from '../api/object.ts';
import {
  type AdmissionRules,
  type Converter,
  defaultTimeoutSeconds,
  type Webhook,
  webhookPath,
} from './declarations.ts';

/** Service in front of the replicas that serve webhooks. */
export interface WebhookService {
  readonly namespace: string;
  readonly name: string;
  /** @default 443 */
  readonly port?: number;
}

/** Webhooks, and the names that they are installed under. */
export interface WebhookInstallation {
  /** Name of the webhook configurations. */
  readonly name: string;
  readonly service: WebhookService;
  readonly webhooks: readonly Webhook[];
}

/** Address of a webhook in configurations and definitions. */
export interface WebhookClientConfig {
  readonly caBundle?: string;
  readonly url?: string;
  readonly service?: {
    readonly namespace: string;
    readonly name: string;
    readonly path?: string;
    readonly port?: number;
  };
}

/** ValidatingWebhookConfiguration or MutatingWebhookConfiguration. */
export interface WebhookConfiguration extends KubeObject {
  readonly webhooks?: readonly (Pick<AdmissionRules, 'failurePolicy' | 'timeoutSeconds'> & {
    readonly name: string;
    readonly clientConfig: WebhookClientConfig;
  })[];
}

const configurationKind = (kind: string): Kind<WebhookConfiguration> => ({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind,
  plural: `${kind.toLowerCase()}s`,
  namespaced: false,
});

/** Kinds of webhook configurations by the type of webhook. */
export const configurationKinds = {
  validate: configurationKind('ValidatingWebhookConfiguration'),
  default: configurationKind('MutatingWebhookConfiguration'),
} as const;

/** Object that has the CA bundle of webhooks. */
export interface WebhookTarget {
  readonly kind: Kind;
  readonly name: string;
}

/** Returns the objects that have the CA bundle of these webhooks. */
export function webhookTargets({ name, webhooks }: WebhookInstallation): readonly WebhookTarget[] {
  const has = (wanted: Webhook['type']) => webhooks.some(({ type }) => type === wanted);
  return [
    ...(['validate', 'default'] as const).filter(has).map((type) => ({ kind: configurationKinds[type] as Kind, name })),
    ...webhooks
      .filter(({ type }) => type === 'convert')
      .map(({ kind }) => ({ kind: CustomResourceDefinitionKind as Kind, name: resourceOf(kind) })),
  ];
}

/** Checks that the paths of all webhooks differ. @throws TypeError */
export function checkInstallation({ webhooks }: WebhookInstallation): void {
  if (webhooks.length === 0) throw new TypeError('webhooks: at least one is expected, found none');
  const paths = webhooks.map(webhookPath);
  const duplicate = paths.find((path, index) => paths.indexOf(path) !== index);
  if (duplicate !== undefined) throw new TypeError(`webhooks: two have the path ${duplicate}`);
}

/** Returns the DNS names that API servers call a service by. */
export const serviceHosts = ({ namespace, name }: WebhookService): readonly string[] => [
  `${name}.${namespace}.svc`,
  `${name}.${namespace}.svc.cluster.local`,
];

const clientConfigOf = (webhook: Webhook, { namespace, name, port = 443 }: WebhookService): WebhookClientConfig => ({
  service: { namespace, name, port, path: webhookPath(webhook) },
});

type AdmissionWebhook = Exclude<Webhook, { readonly type: 'convert' }>;

function entryOf(webhook: AdmissionWebhook, service: WebhookService) {
  const { type, kind, rules } = webhook;
  const {
    operations = ['CREATE', 'UPDATE'],
    failurePolicy = 'Fail',
    timeoutSeconds = defaultTimeoutSeconds,
    sideEffects = 'None',
  } = rules;
  const { namespaceSelector, objectSelector, matchConditions } = rules;
  return {
    name: `${type}.${kind.plural}.${kind.group || 'core.k8s.io'}`,
    admissionReviewVersions: ['v1'],
    clientConfig: clientConfigOf(webhook, service),
    rules: [
      {
        apiGroups: [kind.group],
        apiVersions: [kind.version],
        resources: [kind.plural],
        operations,
        scope: kind.namespaced ? 'Namespaced' : 'Cluster',
      },
    ],
    matchPolicy: 'Equivalent',
    failurePolicy,
    timeoutSeconds,
    sideEffects,
    ...(type === 'default' && { reinvocationPolicy: 'IfNeeded' }),
    ...(namespaceSelector && { namespaceSelector }),
    ...(objectSelector && { objectSelector }),
    ...(matchConditions && { matchConditions }),
  };
}

/**
 * Returns the ValidatingWebhookConfiguration and the MutatingWebhookConfiguration of these webhooks, without a CA bundle: `ownCertificates` puts it in,
 * or cert-manager does. @throws TypeError for two webhooks of one type and kind
 */
export function webhookConfigurations(installation: WebhookInstallation): readonly WebhookConfiguration[] {
  checkInstallation(installation);
  const { name, service, webhooks } = installation;
  return (['validate', 'default'] as const).flatMap((type) => {
    const entries = webhooks.filter((one): one is AdmissionWebhook => one.type === type);
    const { kind } = configurationKinds[type];
    if (entries.length === 0) return [];
    return [
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind,
        metadata: { name },
        webhooks: entries.map((entry) => entryOf(entry, service)),
      },
    ];
  });
}

/** Definition whose versions are converted by a webhook. */
export interface ConvertedDefinition extends CustomResourceDefinition {
  readonly spec: CustomResourceDefinition['spec'] & {
    readonly conversion: {
      readonly strategy: 'Webhook';
      readonly webhook: {
        readonly clientConfig: WebhookClientConfig;
        readonly conversionReviewVersions: readonly string[];
      };
    };
  };
}

/**
 * Returns the CustomResourceDefinition of all versions of a converter, stored as the hub, without a CA bundle.
 * @throws TypeError for a kind without `crd`
 */
export async function convertedDefinition(webhook: Converter, service: WebhookService): Promise<ConvertedDefinition> {
  const load = async (kind: Kind): Promise<CustomResourceDefinition> => {
    if (kind.crd === undefined) throw new TypeError(`${resourceOf(kind)} of ${kind.version} has no crd`);
    return kind.crd();
  };
  const hub = await load(webhook.kind);
  const others = await Promise.all(webhook.spokes.map(({ kind }) => load(kind)));
  const otherVersions = others.flatMap(({ spec }) => spec.versions.map((version) => ({ ...version, storage: false })));
  const conversion = {
    strategy: 'Webhook',
    webhook: { clientConfig: clientConfigOf(webhook, service), conversionReviewVersions: ['v1'] },
  } as const;
  return { ...hub, spec: { ...hub.spec, versions: [...hub.spec.versions, ...otherVersions], conversion } };
}
