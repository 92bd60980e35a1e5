/** Compliance subjects of `components`. */

import { type ComponentsOptions, components } from '../../../../integrations/components/index.ts';
import { Deployment, Pod, Service } from '../../../../sdk/index.ts';
import { clusterFailures, type Subject } from '../../../compliance/index.ts';

const component = (name: string, port: number) => ({
  name,
  template: { containers: [{ name, image: name }] },
  networks: [{ name: 'tcp', port, targetPort: port, protocol: 'TCP' as const }],
});

/** Compliance subject of `components` with these options, for any cluster. */
export const subjectWith = (options: ComponentsOptions): Subject => ({
  identity: 'name',
  reaches: 'cluster',
  spec: { components: [component('web', 80), { ...component('db', 5432), dependsOn: [] }] },
  edited: { components: [component('web', 81)] },
  failures: clusterFailures,
  sameName: 'separate',
  start: ({ client, namespace }) => ({
    integration: () => components(options),
    async remote() {
      const pods = await client.list(Pod, { namespace });
      const deployments = await client.list(Deployment, { namespace });
      const services = await client.list(Service, { namespace });
      return [
        ...pods.items.map(({ metadata }) => `Pod ${metadata.name.replace(/-[0-9a-z]+-[0-9a-z]{5}$/, '')}`),
        ...deployments.items.map(({ metadata }) => `Deployment ${metadata.name}`),
        ...services.items.map(({ metadata, spec }) => `Service ${metadata.name} ${spec?.ports?.[0]?.port}`),
      ];
    },
  }),
});

/** Compliance subject of `components` without options. */
export const subject = subjectWith({});
