/** Widgets: the kind that tests of operators reconcile. */

import * as z from 'zod';
import { defineKind } from '../../../../sdk/api/kind.ts';
import type { KubeObject } from '../../../../sdk/api/object.ts';
import type { ControllerFailure } from '../../../../sdk/operator/engine/error-handler.ts';
import { informer } from '../../../../sdk/operator/watch-controller/informer.ts';
import { createWatchController } from '../../../../sdk/operator/watch-controller/watch-controller.ts';
import type { WatchControllerOptions } from '../../../../sdk/operator/watch-controller/watch-options.ts';
import { aServerInVirtualTime } from '../a-server-in-virtual-time.ts';
import { inDefault, until } from './controlled.ts';

export interface Widget extends KubeObject {
  readonly spec: { readonly size: number };
  readonly status?: { readonly note?: string };
}

/** A kind with a generation and a status subresource. */
export const Widget = defineKind<Widget>({
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  schema: () =>
    z.object({ spec: z.object({ size: z.int() }), status: z.object({ note: z.string().optional() }).optional() }),
});

/** A widget of the namespace `default` as a server returns it. */
export const aWidget = (name: string, metadata: Partial<Widget['metadata']> = {}, size = 1): Widget => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { ...inDefault(name), uid: `uid of ${name}`, resourceVersion: '1', generation: 1, ...metadata },
  spec: { size },
});

const merge = (value: object) => ({ type: 'merge', value }) as const;

/** A world with widgets, and operations on them. */
export async function theWidgets(random?: () => number) {
  const world = await aServerInVirtualTime({ kinds: [Widget], ...(random && { random }) });
  const { client, namespace, key } = world;
  const list = (name: string) => client.list(Widget, { namespace, fields: `metadata.name=${name}` });
  return {
    ...world,
    create: (name: string, metadata: object = {}) =>
      client.create(Widget, { metadata: { ...key(name), ...metadata }, spec: { size: 1 } }),
    resize: (name: string, size: number) => client.patch(Widget, key(name), merge({ spec: { size } })),
    note: (name: string, note: string) =>
      client.patch(Widget, key(name), merge({ status: { note } }), { subresource: 'status' }),
    label: (name: string, labels: object) => client.patch(Widget, key(name), merge({ metadata: { labels } })),
    /** Replaces the finalizers as another client. */
    setFinalizers: (name: string, finalizers: readonly string[]) =>
      client.patch(Widget, key(name), merge({ metadata: { finalizers } })),
    remove: (name: string) => client.delete(Widget, key(name)),
    finalizers: async (name: string) => (await client.get(Widget, key(name))).metadata.finalizers ?? [],
    exists: async (name: string) => (await list(name)).items.length > 0,
  };
}

export type Widgets = Awaited<ReturnType<typeof theWidgets>>;

/** A watch controller with one informer of the world's widgets under the kind `foo`; failures are recorded in `failures`. */
export async function watching(server: Widgets, options: Partial<WatchControllerOptions> = {}) {
  const { client, clock, namespace } = server;
  const failures: (ControllerFailure & { readonly message: string })[] = [];
  const controller = createWatchController({
    client,
    clock,
    random: () => 0,
    errorHandler: (error, failure) => void failures.push({ ...failure, message: (error as Error).message }),
    ...options,
  });
  const widgets = informer(Widget, { selection: { namespace } });
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
