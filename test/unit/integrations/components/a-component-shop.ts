/** Workspaces with components on an in-memory cluster. */

import { type ComponentsOptions, components } from '../../../../integrations/components/index.ts';
import { type Component, conditionOf, Pod, Workspace, type WorkspaceSpec } from '../../../../sdk/index.ts';
import { type Actor, aTargetCluster, type TargetCluster } from '../../a-target-cluster.ts';

export const template = (name: string, ...args: readonly string[]) => ({
  containers: [{ name, image: `${name}:1`, args }],
});
export const network = (name: string, port: number) => ({ name, port, targetPort: port, protocol: 'TCP' }) as const;
export const needs = (componentName: string) =>
  ({ componentName, conditionType: 'Ready', conditionStatus: 'True' }) as const;

export const db: Component = { name: 'db', networks: [network('sql', 5432)], template: template('db') };
export const web: Component = {
  name: 'web',
  networks: [network('http', 80)],
  template: template('web', '${components::db.networks.sql}'),
  dependsOn: [needs('db')],
};

/** A target with one workspace of these components, and functions that inspect it. */
export const aShop = (...all: readonly Component[]) => aShopWith({}, ...all);

export async function aShopWith(options: ComponentsOptions, ...all: readonly Component[]) {
  const stage = await aTargetCluster();
  const actor = stage.actor([components(options)]);
  await stage.create({ components: all });
  return { stage, actor, ...observeName(stage, actor) };
}

function observeName({ client, cluster, read }: TargetCluster, actor: Actor) {
  /** Names of all objects except the API server's own Service. */
  const names = (kind: string) =>
    cluster
      .list({ apiVersion: 'v1', kind }, 'default')
      .map(({ metadata }) => metadata.name)
      .filter((name) => name !== 'kubernetes');
  return {
    pods: () => names('Pod'),
    services: () => names('Service'),
    /** Reports a pod's status as a node does. */
    report: (name: string, status: object) =>
      client.patch(
        Pod,
        { namespace: 'default', name },
        { type: 'merge', value: { status } },
        { subresource: 'status' },
      ),
    async condition() {
      const { status, reason } = conditionOf(await read(), 'Components');
      return `${status}: ${reason}`;
    },
    async change(spec: WorkspaceSpec) {
      const operations = [{ op: 'replace', path: '/spec', value: spec }] as const;
      await client.patch(Workspace, { namespace: 'default', name: 'shop' }, { type: 'json', operations });
      await actor.walk();
    },
    writes: () => cluster.audit.filter(({ method, url }) => method !== 'GET' && /pods|services/.test(url)).length,
  };
}
