/** Controllers of ConfigMaps for tests. */

import { ConfigMap, Secret } from '../../../../sdk/api/kinds.ts';
import { AlreadyExistsError } from '../../../../sdk/errors.ts';
import { createInformerController, type InformerController } from '../../../../sdk/operator/controller/controller.ts';
import type { InformerControllerOptions } from '../../../../sdk/operator/controller/controller-options.ts';
import type { Reconciler, Request } from '../../../../sdk/reconcile/reconciler.ts';
import type { ManualClock } from '../../../cluster/apimachinery/clock/manual-clock.ts';
import { aServerInVirtualTime } from '../a-server-in-virtual-time.ts';

/** A ConfigMap of the namespace `default`. */
export const aConfigMap = (name: string, data: Readonly<Record<string, string>> = {}): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data,
});

/** Returns the key of an object of the namespace `default`. */
export const inDefault = (name: string) => ({ namespace: 'default', name });

/** Runs everything that needs no time, until `reached`: the cluster loads parts of itself on first use. */
export async function until(clock: ManualClock, reached: () => boolean): Promise<void> {
  for (let turn = 0; turn < 200 && !reached(); turn += 1) await clock.advance(0);
  if (!reached()) throw new Error(`never happened: ${reached}`);
  await clock.advance(0);
}

/** Desired state of a ConfigMap or a Secret. */
type Wish = Pick<ConfigMap, 'kind' | 'metadata'> & Partial<ConfigMap>;

/** A world, and a function that creates or changes a ConfigMap or a Secret in it. */
export async function theServer() {
  const world = await aServerInVirtualTime();
  const apply = async (wish: Wish): Promise<ConfigMap> => {
    const kind = wish.kind === 'Secret' ? (Secret as unknown as typeof ConfigMap) : ConfigMap;
    const key = world.key(wish.metadata.name);
    try {
      return await world.client.create(kind, { ...wish, metadata: { ...wish.metadata, ...key } });
    } catch (error) {
      if (!(error instanceof AlreadyExistsError)) throw error;
      const { data, metadata } = wish;
      const value = { data, metadata: { labels: metadata.labels } };
      return world.client.patch(kind, key, { type: 'merge', value });
    }
  };
  return { ...world, apply };
}

export type ControlledServer = Awaited<ReturnType<typeof theServer>>;

type Chosen = Partial<Omit<InformerControllerOptions<ConfigMap>, 'reconciler' | 'client' | 'clock'>>;

/** Starts a controller of the ConfigMaps in a namespace; `reconcile` receives each run's request and the controller. */
export function controlled(
  { client, clock, namespace }: Pick<ControlledServer, 'client' | 'clock' | 'namespace'>,
  reconcile: (
    request: Request<ConfigMap>,
    controller: InformerController<ConfigMap>,
  ) => ReturnType<Reconciler<ConfigMap>>,
  options: Chosen = {},
) {
  const runs: (Pick<Request<ConfigMap>, 'cause' | 'attempt' | 'state'> & {
    readonly name: string;
    readonly at: number;
  })[] = [];
  const controller: InformerController<ConfigMap> = createInformerController({
    client,
    clock,
    kind: ConfigMap,
    selection: { namespace },
    random: () => 0,
    reconciler: (request) => {
      const { cause, attempt, state, key } = request;
      runs.push({ name: key.name, cause, attempt, state, at: clock.monotonic() });
      return reconcile(request, controller);
    },
    ...options,
  });
  const stop = new AbortController();
  const ended = controller.run(stop.signal);
  ended.catch(() => undefined);
  return { controller, runs, stop, ended, log: () => runs.map(({ name, cause }) => `${cause} ${name}`) };
}
