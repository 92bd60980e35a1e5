/** Compliance subject of `cloudflareTunnel` with a connector in the cluster. */

import { Deployment } from '../../../../sdk/index.ts';
import type { CaseName, Subject } from '../../../compliance/index.ts';
import { cloudflareStandIn } from './stand-in.ts';
import { account, accountId } from './subject.ts';
import { tunnelIntegrationOf, tunnelSpoiler, tunnelSubject, tunnelThings } from './tunnel-subject.ts';

/** Cases in which a connector makes no difference, with where they are proved. */
export const withoutConnector: Readonly<Partial<Record<CaseName, string>>> = Object.fromEntries(
  [
    ...([
      'find',
      'observe',
      'create',
      'update',
      'delete',
      'handles',
      'memory',
      'contended',
      'copied',
      'forged',
    ] as const),
    ...(['reports', 'definite', 'ambiguous', 'throttled', 'covers', 'unasked'] as const),
  ].map((name) => [name, 'proved without a connector']),
);

/** Compliance subject; the third party is in memory, the controllers of Deployments are those of the cluster. */
export const connectorSubject: Subject = {
  ...tunnelSubject,
  reaches: 'cluster',
  start({ client, namespace }) {
    const { fetch, tunnels } = cloudflareStandIn({ ...account, accountId });
    const deployments = async () => (await client.list(Deployment, { namespace })).items;
    const spoilTunnel = tunnelSpoiler(tunnels);
    let spoils = 0;
    return {
      fetch,
      integration: (run) => tunnelIntegrationOf(run, { connector: { image: 'cloudflared:1' } }),
      async spoil() {
        const [one] = await deployments();
        spoils += 1;
        if (one === undefined || spoils % 3 === 0) return spoilTunnel();
        const key = { namespace, name: one.metadata.name };
        if (spoils % 3 === 1) await client.delete(Deployment, key);
        else await client.patch(Deployment, key, { type: 'merge', value: { spec: { replicas: 0 } } });
      },
      remote: async () => [
        ...tunnelThings(tunnels),
        ...(await deployments()).map(
          ({ metadata, spec }) =>
            `Deployment ${metadata.name} ${spec?.replicas} ${spec?.template.spec?.containers[0]?.image}`,
        ),
      ],
    };
  },
};
