/** Tunnel of a workspace, as an external resource. */

import { DefiniteError, type ExternalResource, externalResource, type Owner } from '../../sdk/index.ts';
import type { TunnelRule } from './tunnel-rules.ts';
import type { CloudflareTunnels } from './tunnels.ts';

/** Desired state: one or more rules. */
export interface WantedTunnel {
  readonly rules: readonly TunnelRule[];
}

/** Id of a tunnel: a UUID. */
export interface TunnelId {
  readonly id: string;
}

/** Settings of all tunnels. */
export interface TunnelSettings {
  readonly prefix: string;
  /** ms */
  readonly driftInterval: number;
  /** ms */
  readonly deadline: number;
}

/** Name of a workspace's tunnel: its mark, since a tunnel has neither tags nor comments. */
export const tunnelName = (prefix: string, { uid }: Pick<Owner, 'uid'>): string => `${prefix}-${uid}`;

/** Returns the resource: one tunnel per workspace, with a unique name, and its token in a Secret. */
export function tunnelResource(
  tunnels: CloudflareTunnels,
  { prefix, driftInterval, deadline }: TunnelSettings,
): ExternalResource<WantedTunnel, TunnelId> {
  /** Returns the owner's mark in the name of a tunnel; the name itself for foreign tunnels. */
  const markOf = (name: string, { uid, mark }: Owner): string =>
    name.startsWith(`${prefix}-`) ? mark.replace(uid, () => name.slice(prefix.length + 1)) : name;
  return externalResource<WantedTunnel, TunnelId>({
    label: 'tunnel',
    identity: 'name',
    driftInterval,
    maxRequestMs: deadline,
    async find(owner, { signal }) {
      const found = await tunnels.find(tunnelName(prefix, owner), signal);
      return found && { id: found.id };
    },
    async create(_wanted, { owner, signal }) {
      const { id } = await tunnels.create(tunnelName(prefix, owner), signal);
      return { id: { id }, upToDate: false };
    },
    async observe({ id }, { owner, signal }) {
      const tunnel = await tunnels.read(id, signal);
      if (tunnel === undefined) return undefined;
      return { state: { rules: await tunnels.rulesOf(id, signal) }, mark: markOf(tunnel.name, owner) };
    },
    async update({ id }, { rules }, { signal }) {
      await tunnels.configure(id, rules, signal);
    },
    async secretOf({ id }, { signal }) {
      return { token: await tunnels.tokenOf(id, signal) };
    },
    async replaceMark({ id }, { owner, former, signal }) {
      const tunnel = await tunnels.read(id, signal);
      if (tunnel === undefined) throw new DefiniteError(`Cloudflare: there is no tunnel ${id}`);
      const name = tunnelName(prefix, owner);
      if (tunnel.name === name) return;
      if (!former.some((one) => tunnelName(prefix, one) === tunnel.name))
        throw new DefiniteError(
          `Cloudflare: tunnel ${id} has the name ${tunnel.name}, not ${name}: it is left alone; rename it back`,
        );
      await tunnels.rename(id, name, signal);
    },
    delete: ({ id }, { signal }) => tunnels.delete(id, signal),
  });
}
