/** Configuration by which API servers call the webhook of an operator. */

import type { Kind } from '../../../sdk/index.ts';
import {
  type AdmissionRules,
  validator,
  type WebhookConfiguration,
  webhookConfigurations,
} from '../../../sdk/webhooks/index.ts';
import { accountName, type OperatorInstance, webhookNames } from '../../run/operator-instance.ts';
import { type OpenedTypes, servedKinds } from '../../tenants/tenant-integration.ts';
import { ofClass } from './annotation-policy.ts';
import type { Manifest } from './manifest.ts';

/** Options of {@link webhookConfiguration}. */
export interface WebhookConfigurationOptions extends OperatorInstance, OpenedTypes {
  readonly operatorNamespace: string;
}

/** Operator, and the kinds that its webhook validates. */
export interface ValidatedKinds extends OperatorInstance {
  readonly operatorNamespace: string;
  /** @default all */
  readonly namespace?: string | undefined;
  readonly kinds: readonly Kind[];
}

/**
 * Returns the configuration of the webhook behind the operator's Service. It matches creations of workspaces and configs of the class and changes of
 * their specs; it excludes writes of the operator and objects that are being deleted, so that neither depends on the webhook.
 */
export const webhookConfiguration = (
  options: WebhookConfigurationOptions,
  failurePolicy: 'Fail' | 'Ignore',
): Manifest => ({ ...configurationOf({ ...options, kinds: servedKinds(options) }, failurePolicy) });

/** Returns the configuration of the webhook of these kinds, as {@link webhookConfiguration} does. */
export function configurationOf(options: ValidatedKinds, failurePolicy: 'Fail' | 'Ignore'): WebhookConfiguration {
  const { operatorNamespace, namespace, className } = options;
  const { configuration: name, service } = webhookNames(options, operatorNamespace);
  const operator = `system:serviceaccount:${operatorNamespace}:${accountName(options)}`;
  const rules: AdmissionRules = {
    failurePolicy,
    timeoutSeconds: 5,
    ...(namespace !== undefined && {
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    }),
    matchConditions: [
      { name: 'others', expression: `request.userInfo.username != '${operator}'` },
      { name: 'living', expression: '!has(object.metadata.deletionTimestamp)' },
      { name: 'class', expression: ofClass(className) },
      {
        name: 'spec',
        expression: 'oldObject == null || !has(oldObject.spec) || !has(object.spec) || object.spec != oldObject.spec',
      },
    ],
  };
  const webhooks = options.kinds.map((kind) => validator(kind, () => undefined, rules));
  const [configuration] = webhookConfigurations({ name, service, webhooks });
  return configuration!;
}
