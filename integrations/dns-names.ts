import type { Workspace } from '../sdk/index.ts';
import { isName, isWithin, withoutDot } from './dns-records.ts';

/** Which names workspaces may have published. */
export interface DnsNameOptions {
  /**
   * A list of suffixes for all workspaces, each allowing itself and what is below it, or a function that says so for one workspace and a full name in
   * lower case without a trailing dot. A workspace chooses its zone itself: where several teams share one, let this tell them apart, by namespace.
   * @default every name within the workspace's zone
   */
  readonly names?: readonly string[] | ((workspace: Workspace, name: string) => boolean) | undefined;
  /** Whether names such as `*.shop.example.com` may be published, which stand for all names that are not there. @default false */
  readonly wildcards?: boolean | undefined;
}

/** Why a workspace may not have a full name published; undefined when it may. */
export type DnsNameRule = (workspace: Workspace, name: string) => string | undefined;

/** The first label of the names that hold the marks of owners. */
export const ownerLabel = '_op-owner';

/** Makes the rule of an integration from its options. @throws TypeError naming the option that is wrong */
export function dnsNameRule(integration: string, { names, wildcards = false }: DnsNameOptions): DnsNameRule {
  const isList =
    Array.isArray(names) && names.every((suffix) => typeof suffix === 'string' && isName(withoutDot(suffix)));
  if (names !== undefined && typeof names !== 'function' && !isList)
    throw new TypeError(
      `${integration}: names must be a list of DNS names, or a function (workspace, name) => boolean`,
    );
  if (typeof wildcards !== 'boolean') throw new TypeError(`${integration}: wildcards must be true or false`);
  const suffixes = typeof names === 'function' ? undefined : names?.map(withoutDot);
  return (workspace, name) => {
    if (name.split('.').includes(ownerLabel)) return `${name}: ${ownerLabel} is kept for the marks of owners`;
    if (name.startsWith('*.') && !wildcards)
      return `${name}: wildcards are not allowed (option wildcards of ${integration})`;
    if (suffixes !== undefined && !suffixes.some((suffix) => isWithin(name, suffix)))
      return `${name}: only names within ${suffixes.join(', ')} are allowed (option names of ${integration})`;
    if (typeof names === 'function' && names(workspace, name) !== true)
      return `${name}: is not allowed in namespace ${workspace.metadata.namespace} (option names of ${integration})`;
    return undefined;
  };
}
