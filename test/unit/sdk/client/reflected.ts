/** Reflectors of an in-memory cluster, with watches that tests can break. */

import { ConfigMap } from '../../../../sdk/api/kinds.ts';
import { createReflector, type ReflectorOptions } from '../../../../sdk/client/cache/reflector.ts';
import { Store } from '../../../../sdk/client/cache/store.ts';
import type { Selection } from '../../../../sdk/client/client.ts';
import { createClient } from '../../../../sdk/client/http/create-client.ts';
import { createManualClock } from '../../../cluster/apimachinery/clock/manual-clock.ts';
import { createCluster, type Interceptor } from '../../../cluster/index.ts';

/** Faults of a cluster's watches. */
export interface Wires {
  /** Ends all open watches, as a server does that closes; sends `rest` first. */
  end(rest?: string): void;
  /** Stalls the currently open watches without ending them. */
  mute(): void;
}

const isWatch = (url: string): boolean => /[?&]watch=(true|1)/.test(url);

/** Interceptor between a cluster and its clients' watches. */
function createWires(): { readonly wires: Wires; readonly interceptor: Interceptor } {
  const open = new Set<{ end(rest: string): void; muted: boolean }>();
  return {
    wires: {
      end: (rest = '') => {
        for (const wire of open) wire.end(rest);
      },
      mute: () => {
        for (const wire of open) wire.muted = true;
      },
    },
    interceptor: async (request, next) => {
      const response = await next(request);
      const { stream } = response;
      if (!isWatch(request.url) || stream === undefined) return response;
      return {
        ...response,
        stream: (sink) => {
          let stop: () => void = () => undefined;
          const wire = {
            muted: false,
            end(rest: string) {
              open.delete(wire);
              stop();
              if (rest !== '') sink.write(Buffer.from(rest));
              sink.end();
            },
          };
          open.add(wire);
          stop = stream({
            write: (chunk) => {
              if (!wire.muted) sink.write(chunk);
            },
            end: () => {
              open.delete(wire);
              if (!wire.muted) sink.end();
            },
          });
          return () => {
            open.delete(wire);
            stop();
          };
        },
      };
    },
  };
}

/** A ConfigMap of the namespace `default`. */
export const aConfigMap = (name: string, data: Readonly<Record<string, string>> = {}, labels = {}): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', labels },
  data,
});

type Chosen = Partial<Pick<ReflectorOptions<ConfigMap>, 'streaming' | 'answerOf' | 'random' | 'logger'>> & {
  readonly selection?: Selection;
  readonly intercept?: Interceptor;
};

/** Starts a reflector of the ConfigMaps of an in-memory cluster on a manual clock, and records its notifications. */
export async function reflected({ intercept, selection = { namespace: 'default' }, ...options }: Chosen = {}) {
  const clock = createManualClock();
  const cluster = await createCluster({ clock, kubelet: false, namespaceController: false, garbageCollector: false });
  const { wires, interceptor } = createWires();
  cluster.intercept(interceptor);
  if (intercept !== undefined) cluster.intercept(intercept);
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher, clock, random: () => 0 });
  const store = new Store<ConfigMap>();
  const told: string[] = [];
  const stop = new AbortController();
  const reflector = createReflector({
    client,
    kind: ConfigMap,
    selection,
    store,
    clock,
    random: () => 0,
    onChange: ({ type, object }, initial) => told.push(`${type} ${object.metadata.name}${initial ? ' (initial)' : ''}`),
    ...options,
  });
  const ended = reflector.run(stop.signal);
  await clock.advance(0);
  const requests = (part: string) =>
    cluster.audit.filter(({ url, userAgent }) => userAgent !== 'cluster-control' && url.includes(part));
  const names = () =>
    store
      .list()
      .map(({ metadata }) => metadata.name)
      .sort();
  const remove = (name: string) => client.delete(ConfigMap, { namespace: 'default', name });
  return { clock, cluster, client, store, told, stop, reflector, ended, wires, requests, names, remove };
}
