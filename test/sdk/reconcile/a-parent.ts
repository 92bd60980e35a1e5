import * as z from 'zod';
import { defineKind, type Kind } from '../../../sdk/api/kind.ts';
import type { KubeObject, ObjectKey } from '../../../sdk/api/object.ts';
import type { StandardCondition } from '../../../sdk/api/standard-condition.ts';
import type { Client } from '../../../sdk/client/client.ts';
import { ensureCrds } from '../../../sdk/client/crd.ts';
import { Store } from '../../../sdk/client/store.ts';
import type { Reconciler, Request } from '../../../sdk/reconcile/reconciler.ts';
import { requestFor } from '../../../sdk/reconcile/request.ts';
import type { ApiRequest } from '../../cluster/index.ts';
import { inDefault, theServer } from '../operator/controlled.ts';

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

/** A kind with everything that the models may write into a status. */
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

/** A Parent of the namespace `default`. */
export const aParent = (name: string, { finalizers = [finalizerName] }: { finalizers?: readonly string[] } = {}) => ({
  apiVersion: 'example.com/v1',
  kind: 'Parent',
  metadata: { name, namespace: 'default', finalizers },
  spec: { size: 1 },
});

const writing = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** A store of everything there is of a kind now. */
async function filled<S extends KubeObject>(client: Client, kind: Kind<S>): Promise<Store<S>> {
  const store = new Store<S>();
  const { items, resourceVersion } = await client.list(kind, { namespace: 'default' });
  const relist = store.relist();
  for (const item of items) relist.add(item);
  relist.commit(resourceVersion);
  return store;
}

/** An in-memory cluster with the CRD, and one way to run a reconciler for one Parent as an engine would, one pass at a time. */
export async function theParents(owns: readonly Kind[] = []) {
  const server = await theServer();
  const { client, cluster, clock } = server;
  const made = ensureCrds(client, [Parent]);
  for (let turn = 0; turn < 5; turn += 1) await clock.advance(200);
  await made;
  const events: string[] = [];
  const writes: string[] = [];
  cluster.intercept(async (request: ApiRequest, next) => {
    if (writing.includes(request.method))
      writes.push(`${request.method} ${new URL(request.url, cluster.url).pathname}`);
    return next(request);
  });
  const read = (name = 'a') => client.get(Parent, inDefault(name));
  const run = async (reconcile: Reconciler<Parent>, name = 'a', more: Partial<Request<Parent>> = {}) => {
    const object: Parent | ObjectKey = await read(name).catch(() => inDefault(name));
    const stores = new Map<unknown, Store<KubeObject>>();
    for (const kind of owns) stores.set(kind, await filled(client, kind));
    const stored = (<S extends KubeObject>(kind: Kind<S>) => stores.get(kind)) as unknown as Request<Parent>['stored'];
    return reconcile({
      ...requestFor(Parent, object, {
        client,
        clock,
        stored,
        events: { event: (_about, type, reason, message) => void events.push(`${type} ${reason}: ${message}`) },
      }),
      ...more,
    });
  };
  return {
    ...server,
    events,
    writes,
    read,
    run,
    create: (...parent: Parameters<typeof aParent>) => client.create(Parent, aParent(...parent) as Parent),
    remove: (name = 'a') => client.delete(Parent, inDefault(name)),
    condition: async (type: string) => (await read()).status?.conditions?.find((one) => one.type === type),
  };
}
