import * as z from 'zod';
import {
  addFinalizer,
  ConfigMap,
  children,
  crud,
  defineKind,
  done,
  finalizer,
  hasFinalizer,
  type JsonPatchOperation,
  type KubeObject,
  manageSuccess,
  type NewObject,
  opinionated,
  ownerReferenceTo,
  phases,
  type Reconciler,
  type Request,
  remote,
  resourceSet,
  router,
  type StandardCondition,
  stepper,
  timestamp,
} from '../../sdk/index.ts';

/** What the models under measurement reconcile. */
export interface Site extends KubeObject {
  readonly spec: { readonly text: string };
  readonly status?: { readonly conditions?: readonly StandardCondition[] };
}

export const Site = defineKind<Site>({
  group: 'bench.dev',
  version: 'v1',
  kind: 'Site',
  schema: () =>
    z.object({
      spec: z.object({ text: z.string() }),
      status: z.object({ conditions: z.array(z.looseObject({ type: z.string() })).optional() }).optional(),
    }),
});

const name = 'bench.dev/f';
const mark = 'bench.dev/mark';

type Seen = Request<Site> & { readonly object: Site };

const wanted = ({ key, object }: Seen): NewObject<ConfigMap> => ({ metadata: key, data: { text: object.spec.text } });

const child = (request: Seen): NewObject<ConfigMap> => {
  const { metadata, ...rest } = wanted(request);
  return { ...rest, metadata: { ...metadata, ownerReferences: [ownerReferenceTo(request.object)] } };
};

const patch = async (
  { client, kind, key, signal }: Seen,
  operations: readonly JsonPatchOperation[],
  subresource?: 'status',
): Promise<void> => {
  const options = { signal, answer: 'metadata', ...(subresource && { subresource }) } as const;
  await client.patch(kind, key, { type: 'json', operations }, options);
};

/** One write of a plain reconciler: whether it is still to be made, and the write. */
interface Write {
  isDue(request: Seen): boolean;
  write(request: Seen): Promise<unknown>;
  /** The pass ends after it, as it does in the models. */
  readonly ends?: boolean;
}

const writes = {
  finalizer: {
    isDue: ({ object }) => !hasFinalizer(object, name),
    write: (request) => patch(request, addFinalizer(request.object, name)),
    ends: true,
  },
  child: {
    isDue: ({ stored, key }) => stored(ConfigMap).get(key) === undefined,
    write: (request) => request.client.create(ConfigMap, child(request), { signal: request.signal }),
  },
  note: {
    isDue: ({ object }) => object.metadata.annotations?.[mark] === undefined,
    write: ({ client, kind, key, signal }) =>
      client.patch(
        kind,
        key,
        { type: 'merge', value: { metadata: { annotations: { [mark]: '1' } } } },
        { signal, answer: 'metadata' },
      ),
  },
  claim: {
    isDue: ({ object }) => (object.metadata.finalizers ?? []).length === 0,
    write: (request) => patch(request, addFinalizer(request.object, `${name}.begun`)),
  },
  status: {
    isDue: ({ object }) => object.status?.conditions === undefined,
    write: (request) => {
      const { clock, object } = request;
      const { generation: observedGeneration } = object.metadata;
      const condition = { type: 'Ready', status: 'True', reason: 'Ready', message: '', observedGeneration };
      const conditions = [{ ...condition, lastTransitionTime: timestamp(clock.now()) }];
      return patch(request, [{ op: 'add', path: '/status', value: { conditions } }], 'status');
    },
  },
} satisfies Readonly<Record<string, Write>>;

/** The kinds of write there are. */
export type WriteName = keyof typeof writes;

/** A reconciler that makes these writes, and nothing else. */
export const plain =
  (names: readonly WriteName[]): Reconciler<Site> =>
  async (request) => {
    const { object } = request;
    if (object === undefined) return done;
    const seen = { ...request, object };
    for (const one of names.map((each): Write => writes[each])) {
      if (!one.isDue(seen)) continue;
      await one.write(seen);
      if (one.ends) return { requeueAfter: 0 };
    }
    return done;
  };

const outside = new Map<string, { readonly text: string }>();

/** Each model, and the writes that it makes for one object. */
export const models: Readonly<
  Record<string, { readonly writes: readonly WriteName[]; readonly reconciler: Reconciler<Site> }>
> = {
  stepper: {
    writes: ['finalizer', 'child', 'status'],
    reconciler: finalizer(
      name,
      stepper<Site>(
        {
          ObjectsGetter: (context) =>
            context.resources.register({
              kind: ConfigMap,
              name: context.key.name,
              mutateWithInitialData: (draft) => void Object.assign(draft, { data: wanted(context).data }),
            }),
          Mutator: ({ resources }) => resources.mutateAll(),
          Updater: ({ resources }) => resources.createOrUpdateAll(),
          SuccessManager: manageSuccess,
        },
        { peers: 'stored' },
      ),
    ),
  },
  crud: {
    writes: ['finalizer', 'child'],
    reconciler: router(
      [
        resourceSet<Site>({
          name: 'all',
          handles: () => true,
          resources: [
            crud<Site, ConfigMap | undefined, NewObject<ConfigMap>, NewObject<ConfigMap>>({
              name: 'map',
              getCurrentState: ({ stored, key }) => stored(ConfigMap).get(key),
              getDesiredState: child,
              newUpdatePatch: (current, desired) => (current === undefined ? { create: desired } : undefined),
              applyCreateChange: async (map, { client, signal }) => {
                await client.create(ConfigMap, map, { signal });
              },
            }),
          ],
        }),
      ],
      { finalizer: name },
    ),
  },
  phases: {
    writes: ['finalizer', 'child', 'status'],
    reconciler: phases<Site>({
      finalizer: name,
      phases: [{ name: 'Map', reconcile: children({ kind: ConfigMap, wanted: (site) => [wanted(site)] }) }],
    }),
  },
  remote: {
    writes: ['finalizer', 'note', 'status'],
    reconciler: remote<Site, typeof outside, { readonly text: string }>({
      finalizer: name,
      connect: async () => outside,
      read: async ({ key, object }, api) => ({ current: api.get(key.name), wanted: { text: object.spec.text } }),
      create: async ({ key }, api, thing) => void api.set(key.name, thing),
      update: async ({ key }, api, { next }) => void api.set(key.name, next),
      delete: async ({ key }, api) => void api.delete(key.name),
    }),
  },
  opinionated: {
    writes: ['claim', 'child', 'finalizer'],
    reconciler: opinionated<Site>({ finalizer: name }, async (request) => {
      const { client, stored, key, signal, action } = request;
      if (action === 'created' && stored(ConfigMap).get(key) === undefined)
        await client.create(ConfigMap, child(request), { signal });
      return done;
    }),
  },
};
