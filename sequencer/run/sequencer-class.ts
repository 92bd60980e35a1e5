/** Several sequencers in one cluster: which workspaces are whose, and how their own objects are named. */

import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Workspace } from '../../sdk/index.ts';

/** Share of the workspaces that one sequencer walks. */
export interface WorkspaceShare {
  readonly className?: string | undefined;
  /** Label selector. */
  readonly selector?: string | undefined;
}

/** Reports whether a workspace or config is for sequencers of this class; undefined: for those without a class. */
export const isOfClass = (
  { spec }: { readonly spec: Pick<Workspace['spec'], 'className'> },
  className: string | undefined,
): boolean => spec?.className === className;

/** Returns the name of the service account and the roles of a class: `sequencer`, or `sequencer-CLASS`. */
export const accountName = ({ className }: WorkspaceShare): string =>
  className === undefined ? 'sequencer' : `sequencer-${className}`;

/** Returns the name of the Lease and the Deployment of a share: that of its account, and eight digits of its selector, if it has one. */
export const instanceName = (share: WorkspaceShare): string =>
  share.selector === undefined
    ? accountName(share)
    : `${accountName(share)}-${createHash('sha256').update(share.selector).digest('hex').slice(0, 8)}`;

/** Names of what the webhook of a share needs: its configuration, the operator's Service, and in its namespace the Secret with certificates. */
export function webhookNames(share: WorkspaceShare, namespace: string) {
  const name = instanceName(share);
  return {
    configuration: `${name}-webhooks.${namespace}`,
    service: { namespace, name },
    secret: `${name}-webhooks`,
  };
}

/** Returns the version of this package: an older replica does not downgrade the CRD of a newer one. */
export function packageVersion(): string {
  const { version } = createRequire(import.meta.url)('workspace-sequencer/package.json') as {
    readonly version: string;
  };
  return version;
}
