/** Restricts the DNS names that workspaces may publish. */

import type { Workspace } from '../../sdk/index.ts';
import { quoted } from '../quoted-text.ts';
import { wrongField } from '../wrong-field.ts';
import type { DnsBackend } from './backend.ts';
import { type DnsName, isName, isWithin, specNames, withoutDot } from './records.ts';

/** Restrictions on the names that workspaces may publish. */
export interface DnsNameOptions {
  /**
   * Suffixes for all workspaces, each allowing itself and its subdomains, or a function that decides for one workspace and a full name in lower case
   * without a trailing dot. A workspace chooses its zone itself: where several teams share one, use a function that separates them, by namespace.
   * @default every name within the workspace's zone
   */
  readonly names?: readonly string[] | ((workspace: Workspace, name: string) => boolean) | undefined;
  /** Allows wildcard names such as `*.shop.example.com`. @default false */
  readonly wildcards?: boolean | undefined;
}

/** Explains why a workspace may not publish a full name; undefined when it may. */
export type DnsNameRule = (workspace: Workspace, name: string) => string | undefined;

/** Longest name in characters. */
const maxNameLength = 253;

/** First label of the names of ownership records. */
export const ownerLabel = '_op-owner';

/** Creates the rule of an integration from its options. @throws TypeError naming the invalid option */
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

/** Explains why a server can never store a name: `served` is the server's zone, by default the workspace's own. Undefined when it can. */
export function zoneRefusal({ zone, name }: DnsName, served = zone): string | undefined {
  if (!isName(name) || !isName(served)) return `${quoted(isName(name) ? served : name)} is not a DNS name`;
  if (!isWithin(name, served)) return `${name} is not within the zone ${served} of option zone`;
  if (`${ownerLabel}.${name.replace(/^\*/, ownerLabel)}`.length > maxNameLength)
    return `${name} is too long: with ${ownerLabel}. before it, it must have ${maxNameLength} characters at most`;
  return name === served
    ? `${name} is a zone itself, which no workspace can own: give the rule a subdomain`
    : undefined;
}

/** Explains why one of these names is not published: the third party cannot store it, or it is not allowed; undefined when all are. Pure. */
export function nameRefusal(
  { backend, allows }: { readonly backend: Pick<DnsBackend, 'refuses'>; readonly allows: DnsNameRule },
  workspace: Workspace,
  places: readonly DnsName[],
): string | undefined {
  const names = new Map(places.map((place) => [place.name, place]));
  for (const [name, place] of names) {
    const reason = backend.refuses?.(place) ?? allows(workspace, name);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Returns the first mistake in the names of a workspace's spec: a zone or name that is invalid, cannot be stored, or is not allowed. Pure. */
export function mistakeInNames(
  setup: Parameters<typeof nameRefusal>[0],
  workspace: Workspace,
): ReturnType<typeof wrongField> | undefined {
  const found = specNames(workspace);
  if (typeof found === 'string') return wrongField(found, 'spec.networking');
  const { zone, names } = found;
  const refused = nameRefusal(
    setup,
    workspace,
    names.map((name) => ({ zone, name })),
  );
  return refused === undefined ? undefined : wrongField(refused, 'spec.networking.ingress.rules');
}
