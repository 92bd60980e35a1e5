/** A parent with ConfigMaps that a stepper keeps. */

import { ConfigMap } from '../../../../sdk/api/kinds.ts';
import type { MutableResource } from '../../../../sdk/reconcile/mutable-resource.ts';
import { stepper } from '../../../../sdk/reconcile/okt/stepper.ts';
import type { CreateOrUpdateOptions, RegistryOptions } from '../../../../sdk/reconcile/registry.ts';
import type { RunContext } from '../../../../sdk/reconcile/run-context.ts';
import { type Parent, theParents } from './a-parent.ts';

type Options = RegistryOptions & { readonly update?: CreateOrUpdateOptions; readonly prune?: boolean };
export type MapResource = MutableResource<Parent, ConfigMap>;

/** A parent with ConfigMaps that a stepper keeps; `keep` runs it once and returns its operations. */
export async function keeper({ update, prune, ...options }: Options = {}) {
  const world = await theParents([ConfigMap]);
  await world.create('a');
  let counts: RunContext<Parent>['results']['counts'] = {};
  let resources: readonly MutableResource<Parent, never>[] = [];
  const reconcile = stepper<Parent>(
    {
      async ObjectsGetter({ resources: registry }) {
        for (const resource of resources) await registry.register(resource);
      },
      Mutator: ({ resources: registry }) => registry.mutateAll(),
      async Updater({ resources: registry, results }) {
        await registry.createOrUpdateAll(update);
        if (prune) await registry.prune(ConfigMap);
        counts = results.counts;
      },
    },
    options,
  );
  const get = (name: string) => world.client.get(ConfigMap, world.key(name));
  return {
    ...world,
    get,
    counts: () => counts,
    change: (name: string, value: object) => world.client.patch(ConfigMap, world.key(name), { type: 'merge', value }),
    async keep(...wanted: readonly MutableResource<Parent, never>[]) {
      resources = wanted;
      world.writes.length = 0;
      counts = {};
      return world.run(reconcile);
    },
  };
}

/** A ConfigMap with a part that is written at creation only, and one that follows the desired state. */
export const map = (name: string, follows: string, more: Partial<MapResource> = {}): MutableResource<Parent, never> => {
  const resource: MapResource = {
    kind: ConfigMap,
    name,
    mutateWithInitialData(draft) {
      draft.data = { initial: '1' };
    },
    mutateWithCR(draft) {
      draft.data = { ...draft.data, follows };
    },
    ...more,
  };
  return resource as unknown as MutableResource<Parent, never>;
};
