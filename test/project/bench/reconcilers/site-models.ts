import {
  ConfigMap,
  children,
  crud,
  done,
  finalizer,
  manageSuccess,
  type NewObject,
  opinionated,
  phases,
  type Reconciler,
  remote,
  resourceSet,
  router,
  stepper,
} from '../../../../sdk/index.ts';
import type { Written } from './plain.ts';
import { childOf, name, type Site, wanted } from './site.ts';

const outside = new Map<string, { readonly text: string }>();

const ready = { type: 'Ready', reason: 'Success', message: '' };

/** Each model, and its writes for one object. */
export const models: Readonly<Record<string, Written & { readonly reconciler: Reconciler<Site> }>> = {
  stepper: {
    writes: ['finalizer', 'child', 'status'],
    annotations: { 'se.quencer.io/hash': '0'.repeat(32) },
    conditions: [
      {
        type: 'Ready',
        reason: 'Success',
        message: 'RegistrationSuccess: 1, MutationSuccess: 1, Created: 1',
      },
    ],
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
              getDesiredState: (request) => childOf(request),
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
    annotations: { 'se.quencer.io/applied': '{"data":{"text":1},"metadata":{}}' },
    conditions: [{ type: 'MapReady', reason: 'Success', message: '' }, ready],
    reconciler: phases<Site>({
      finalizer: name,
      phases: [{ name: 'Map', reconcile: children({ kind: ConfigMap, wanted: (site) => [wanted(site)] }) }],
    }),
  },
  remote: {
    writes: ['finalizer', 'note', 'status'],
    conditions: [ready],
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
    writes: ['claim', 'child', 'settled'],
    reconciler: opinionated<Site>({ finalizer: name }, async (request) => {
      const { client, stored, key, signal, action } = request;
      if (action === 'created' && stored(ConfigMap).get(key) === undefined)
        await client.create(ConfigMap, childOf(request), { signal });
      return done;
    }),
  },
};
