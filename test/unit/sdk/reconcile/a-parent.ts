/** Parents: the kind that tests of reconcilers use. */

import * as z from 'zod';
import { defineKind, type Kind } from '../../../../sdk/api/kind.ts';
import type { KubeObject, ObjectKey } from '../../../../sdk/api/object.ts';
import type { StandardCondition } from '../../../../sdk/api/standard-condition.ts';
import { Store } from '../../../../sdk/client/cache/store.ts';
import type { Client } from '../../../../sdk/client/client.ts';
import { ensureCrds } from '../../../../sdk/client/crds/crd.ts';
import type { Reconciler, Request } from '../../../../sdk/reconcile/reconciler.ts';
import { requestFor } from '../../../../sdk/reconcile/request.ts';
import { aServer, recording } from '../a-server.ts';

export interface Parent extends KubeObject {
  readonly spec: { readonly size?: number; readonly title?: string };
  readonly status?: {
    readonly conditions?: readonly StandardCondition[];
    readonly isOnError?: boolean;
    readonly lastErrorMessage?: string;
    readonly observedGeneration?: number;
    readonly phase?: string;
    readonly isSync?: boolean;
    readonly note?: string;
  };
}

/** A kind with every status field that the models write. */
export const Parent = defineKind<Parent>({
  group: 'example.com',
  version: 'v1',
  kind: 'Parent',
  schema: () =>
    z.object({
      spec: z.object({ size: z.int().optional(), title: z.string().optional() }),
      status: z
        .object({
          conditions: z.array(z.looseObject({ type: z.string() })).optional(),
          isOnError: z.boolean().optional(),
          lastErrorMessage: z.string().optional(),
          observedGeneration: z.int().optional(),
          phase: z.string().optional(),
          isSync: z.boolean().optional(),
          note: z.string().optional(),
        })
        .optional(),
    }),
});

export const finalizerName = 'example.com/parent';

/** A store filled with all current objects of a kind. */
async function filled<S extends KubeObject>(client: Client, kind: Kind<S>, namespace: string): Promise<Store<S>> {
  const store = new Store<S>();
  const { items, resourceVersion } = await client.list(kind, { namespace });
  const relist = store.relist();
  for (const item of items) relist.add(item);
  relist.commit(resourceVersion);
  return store;
}

/** A server with the CRD, and a function that runs a reconciler for one Parent as an engine does, one pass at a time. */
export async function theParents(owns: readonly Kind[] = []) {
  const writes: string[] = [];
  const events: string[] = [];
  const { namespace, key, client: plain } = await aServer();
  const client = recording(plain, writes);
  await ensureCrds(plain, [Parent]);
  const read = (name = 'a') => client.get(Parent, key(name));
  const run = async (reconcile: Reconciler<Parent>, name = 'a', more: Partial<Request<Parent>> = {}) => {
    const object: Parent | ObjectKey = await read(name).catch(() => key(name));
    const stores = new Map<unknown, Store<KubeObject>>();
    for (const kind of owns) stores.set(kind, await filled(client, kind, namespace));
    const stored = (<S extends KubeObject>(kind: Kind<S>) => stores.get(kind)) as unknown as Request<Parent>['stored'];
    const event: Request<Parent>['events']['event'] = (...[, type, reason, message]) => {
      events.push(`${type} ${reason}: ${message.replaceAll(namespace, 'default')}`);
    };
    return reconcile({ ...requestFor(Parent, object, { client, stored, events: { event } }), ...more });
  };
  const create = (name: string, { finalizers = [finalizerName] }: { finalizers?: readonly string[] } = {}) =>
    plain.create(Parent, { metadata: { name, namespace, finalizers }, spec: { size: 1 } });
  return {
    /** Client that records its writes in `writes`. */
    client,
    namespace,
    key,
    /** Matches messages that name objects of the namespace, with `default` in its place. */
    said: (text: string) => (message: string) => message.replaceAll(namespace, 'default') === text,
    events,
    writes,
    read,
    run,
    create,
    remove: (name = 'a') => plain.delete(Parent, key(name)),
    condition: async (type: string) => (await read()).status?.conditions?.find((one) => one.type === type),
  };
}
