import { ConfigMap } from '../../../sdk/api/kinds.ts';
import type { Selection } from '../../../sdk/client/client.ts';
import { createClient } from '../../../sdk/client/http-client.ts';
import { createInformerController, type InformerController } from '../../../sdk/operator/controller.ts';
import type { InformerControllerOptions } from '../../../sdk/operator/controller-options.ts';
import type { Reconciler, Request } from '../../../sdk/reconcile/reconciler.ts';
import { createCluster } from '../../cluster/index.ts';
import { createManualClock, type ManualClock } from '../../cluster/manual-clock.ts';

/** A ConfigMap of the namespace `default`. */
export const aConfigMap = (name: string, data: Readonly<Record<string, string>> = {}): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data,
});

/** The key of an object of the namespace `default`. */
export const inDefault = (name: string) => ({ namespace: 'default', name });

/** Lets everything run that needs no time, until `reached`: the cluster loads parts of itself when they are first used. */
export async function until(clock: ManualClock, reached: () => boolean): Promise<void> {
  for (let turn = 0; turn < 200 && !reached(); turn += 1) await clock.advance(0);
  if (!reached()) throw new Error(`never happened: ${reached}`);
  await clock.advance(0);
}

type World = Awaited<ReturnType<typeof theServer>>;

/** An in-memory cluster without controllers of its own, on a manual clock, and a client of it. */
export async function theServer() {
  const clock = createManualClock();
  const cluster = await createCluster({ clock, kubelet: false, namespaceController: false, garbageCollector: false });
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher, clock, random: () => 0 });
  return { clock, cluster, client };
}

type Chosen = Partial<Omit<InformerControllerOptions<ConfigMap>, 'reconciler' | 'client' | 'clock'>>;

/** A controller of the ConfigMaps in a namespace, `default` unless the server says otherwise; `reconcile` sees each run's request and the controller. */
export function controlled(
  {
    client,
    clock,
    selection = { namespace: 'default' },
  }: Pick<World, 'client' | 'clock'> & { readonly selection?: Selection },
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
    selection,
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
