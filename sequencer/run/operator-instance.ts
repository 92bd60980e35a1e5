/** Share of a sequencer among several in one cluster: selects its workspaces and names its own objects. */

import type { Workspace } from '../../sdk/index.ts';

/** Share of the workspaces that one sequencer walks. */
export interface OperatorInstance {
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
export const accountName = ({ className }: OperatorInstance): string =>
  className === undefined ? 'sequencer' : `sequencer-${className}`;

const eightDigitsOf = (text: string): string =>
  process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex').slice(0, 8);

/** Returns the name of the Lease and the Deployment of an instance: the name of its account, with a digest of eight digits for a selector. */
export const instanceName = (instance: OperatorInstance): string =>
  instance.selector === undefined
    ? accountName(instance)
    : `${accountName(instance)}-${eightDigitsOf(instance.selector)}`;

/** Returns the names of the webhook configuration, of the operator's Service, and of the Secret with certificates of an instance. */
export function webhookNames(instance: OperatorInstance, namespace: string) {
  const name = instanceName(instance);
  return {
    configuration: `${name}-webhooks.${namespace}`,
    service: { namespace, name },
    secret: `${name}-webhooks`,
  };
}
