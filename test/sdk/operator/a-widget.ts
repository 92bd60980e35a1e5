import * as z from 'zod';
import { defineKind } from '../../../sdk/api/kind.ts';
import type { KubeObject } from '../../../sdk/api/object.ts';
import { createClient } from '../../../sdk/client/http-client.ts';
import { informer } from '../../../sdk/operator/informer.ts';
import { createWatchController } from '../../../sdk/operator/watch-controller.ts';
import type { WatchControllerOptions, WatchFailure } from '../../../sdk/operator/watch-options.ts';
import { createCluster } from '../../cluster/index.ts';
import { createManualClock } from '../../cluster/manual-clock.ts';
import { inDefault, until } from './controlled.ts';

export interface Widget extends KubeObject {
  readonly spec: { readonly size: number };
  readonly status?: { readonly note?: string };
}

/** A kind with a generation and a status of its own. */
export const Widget = defineKind<Widget>({
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  schema: () =>
    z.object({ spec: z.object({ size: z.int() }), status: z.object({ note: z.string().optional() }).optional() }),
});

/** A widget of the namespace `default` as a server would hand it out. */
export const aWidget = (name: string, metadata: Partial<Widget['metadata']> = {}, size = 1): Widget => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { ...inDefault(name), uid: `uid of ${name}`, resourceVersion: '1', generation: 1, ...metadata },
  spec: { size },
});

/** An in-memory cluster with widgets on a manual clock, and everything that is done to them. */
export async function theWidgets(random: () => number = () => 0) {
  const clock = createManualClock();
  const cluster = await createCluster({ clock, kubelet: false, namespaceController: false, garbageCollector: false });
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher, clock, random });
  await cluster.apply((await Widget.crd!()) as never);
  await clock.advance(100);
  const merge = (value: object) => ({ type: 'merge', value }) as const;
  return {
    clock,
    cluster,
    client,
    create: (name: string, metadata: object = {}) =>
      client.create(Widget, { metadata: { ...inDefault(name), ...metadata }, spec: { size: 1 } }),
    resize: (name: string, size: number) => client.patch(Widget, inDefault(name), merge({ spec: { size } })),
    note: (name: string, note: string) => client.patch(Widget, inDefault(name), merge({ status: { note } })),
    label: (name: string, labels: object) => client.patch(Widget, inDefault(name), merge({ metadata: { labels } })),
    remove: (name: string) => client.delete(Widget, inDefault(name)),
    finalizers: async (name: string) => (await client.get(Widget, inDefault(name))).metadata.finalizers ?? [],
    exists: async (name: string) => (await client.list(Widget, { fields: `metadata.name=${name}` })).items.length > 0,
  };
}

export type Widgets = Awaited<ReturnType<typeof theWidgets>>;

/** A running watch controller with one informer of all widgets under the kind `foo`; what failed is in `failures`. */
export async function watching(server: Widgets, options: Partial<WatchControllerOptions> = {}) {
  const { client, clock } = server;
  const failures: (WatchFailure & { readonly message: string })[] = [];
  const controller = createWatchController({
    client,
    clock,
    random: () => 0,
    errorHandler: (error, failure) => void failures.push({ ...failure, message: (error as Error).message }),
    ...options,
  });
  const widgets = informer(Widget);
  controller.addInformer(widgets, 'foo');
  const stop = new AbortController();
  const run = async () => {
    const ended = controller.run(stop.signal);
    ended.catch(() => undefined);
    await until(clock, () => controller.health().synced);
    return ended;
  };
  return { controller, widgets, failures, stop, run, pending: () => controller.health().queue.delayed };
}
