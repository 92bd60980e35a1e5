/** Configuration by which API servers call the webhook of an operator. */

import { Workspace } from '../../../sdk/index.ts';
import { validator, webhookConfigurations } from '../../../sdk/webhooks/index.ts';
import { accountName, type WorkspaceShare, webhookNames } from '../../run/instance.ts';
import { ofClass } from './annotation-policy.ts';
import type { Manifest } from './manifest.ts';

/** Options of {@link webhookConfiguration}. */
export interface WebhookConfigurationOptions extends WorkspaceShare {
  readonly operatorNamespace: string;
  /** Restricts the operator to workspaces of this namespace. @default all */
  readonly namespace?: string | undefined;
}

/**
 * Returns the configuration of the webhook, which is behind the operator's Service. It is asked about new workspaces of the class and about changes of their
 * specs: never by what the operator itself writes, nor about one that is being deleted, so that neither waits for it.
 */
export function webhookConfiguration(options: WebhookConfigurationOptions, failurePolicy: 'Fail' | 'Ignore'): Manifest {
  const { operatorNamespace, namespace, className } = options;
  const { configuration: name, service } = webhookNames(options, operatorNamespace);
  const operator = `system:serviceaccount:${operatorNamespace}:${accountName(options)}`;
  const webhook = validator(Workspace, () => undefined, {
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
  });
  const [configuration] = webhookConfigurations({ name, service, webhooks: [webhook] });
  return { ...configuration! };
}
