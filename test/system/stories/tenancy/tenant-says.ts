/** Waits for what workspaces of tenants and their configs say. */

import { type ClusterIntegrationConfig, IntegrationConfig } from '../../../../sdk/host/index.ts';
import { type Client, findCondition, NotFoundError, Workspace } from '../../../../sdk/index.ts';
import { eventually } from '../sequencing.ts';

interface Key {
  readonly namespace: string;
  readonly name: string;
}

/** Waits until the DNS condition of a workspace says this. */
export const dnsSays = (client: Client, key: Key, ...[status, reason = /./]: [status: string, reason?: RegExp]) =>
  eventually(`DNS of ${key.name} to be ${status} ${reason}`, async () => {
    const dns = findCondition((await client.get(Workspace, key)).status?.conditions, 'DNS');
    if (dns?.status === status && reason.test(dns.reason)) return dns.reason;
    throw new Error(`it is ${dns?.status} ${dns?.reason}`);
  });

/** Returns the condition Ready of a config. */
export const readyOf = (config: IntegrationConfig | ClusterIntegrationConfig) =>
  config.status?.conditions?.find(({ type }) => type === 'Ready');

/** Waits until a config is Ready, or not, for this reason. */
export const configSays = (client: Client, key: Key, ...[reason, message = /./]: [reason: string, message?: RegExp]) =>
  eventually(`config ${key.name} to be ${reason}`, async () => {
    const ready = readyOf(await client.get(IntegrationConfig, key));
    if (ready?.reason === reason && message.test(ready.message)) return ready;
    throw new Error(`it is ${ready?.reason} ${ready?.message}`);
  });

/** Waits until an object is gone. */
export const gone = (client: Client, kind: typeof IntegrationConfig | typeof Workspace, key: Key) =>
  eventually(`${kind.kind} ${key.name} is gone`, async () => {
    try {
      const { metadata, status } = await client.get(kind as typeof Workspace, key);
      throw new Error(JSON.stringify([metadata.finalizers, status]));
    } catch (error) {
      if (error instanceof NotFoundError) return true;
      throw error;
    }
  });
