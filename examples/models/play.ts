/** Runs the example of a model against an in-memory cluster. */

import { setTimeout } from 'node:timers/promises';
import {
  createClient,
  createInformerController,
  Deployment,
  ensureCrds,
  NotFoundError,
  type Reconciler,
  runOperator,
  Service,
} from 'workspace-sequencer/sdk';
import { createCluster } from 'workspace-sequencer/test';
import { Dns, Website } from './website.ts';

/** Observed state of a website. */
export interface Seen {
  readonly replicas: number | undefined;
  readonly port: number | undefined;
  readonly record: string | undefined;
}

/** Factory that each example exports: the reconciler of websites, for a DNS provider. */
export type Played = (dns: Dns) => Reconciler<Website>;

const key = { namespace: 'default', name: 'shop' };
const shop = { metadata: key, spec: { image: 'example.com/shop:1', replicas: 2, domain: 'shop.example.com' } };

const orNothing = (error: unknown): undefined => {
  if (!(error instanceof NotFoundError)) throw error;
};

/**
 * Creates, updates and deletes a website on an in-memory cluster with a running reconciler, and prints the observed state each time.
 * Throws when the expected state is not reached within 10 s.
 */
export async function play(reconcilerFor: Played, print: (line: string) => void = console.log): Promise<void> {
  const cluster = await createCluster({ kubelet: false });
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  const dns = new Dns();
  const stopping = new AbortController();
  const see = async (): Promise<Seen> => ({
    replicas: (await client.get(Deployment, key).catch(orNothing))?.spec?.replicas,
    port: (await client.get(Service, key).catch(orNothing))?.spec?.ports?.[0]?.port,
    record: await dns.get(shop.spec.domain),
  });
  const until = async (what: string, wanted: Seen): Promise<void> => {
    for (let turn = 0; JSON.stringify(await see()) !== JSON.stringify(wanted); turn += 1) {
      if (turn > 1000) throw new Error(`${what}: ${JSON.stringify(await see())}, not ${JSON.stringify(wanted)}`);
      await setTimeout(10);
    }
    print(
      `${what}: ${wanted.replicas ?? 'no'} replicas, port ${wanted.port ?? 'none'}, DNS ${wanted.record ?? 'none'}`,
    );
  };

  await ensureCrds(client, [Website]);
  const controller = createInformerController<Website>({
    client,
    kind: Website,
    owns: [Deployment, Service],
    reconciler: reconcilerFor(dns),
  });
  const running = runOperator({ controllers: [controller], signal: stopping.signal });
  try {
    await client.create(Website, shop);
    await until('made', { replicas: 2, port: 80, record: 'shop.default.svc' });
    await client.patch(Website, key, { type: 'merge', value: { spec: { replicas: 3 } } });
    await until('scaled', { replicas: 3, port: 80, record: 'shop.default.svc' });
    await client.delete(Website, key);
    await until('deleted', { replicas: undefined, port: undefined, record: undefined });
  } finally {
    stopping.abort();
    await running;
    await client.close();
    await cluster.close();
  }
}
