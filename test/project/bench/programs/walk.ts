import {
  type ClientObserver,
  createClient,
  defineIntegration,
  externalResource,
  loadConnection,
} from '../../../../sdk/index.ts';
import { createSequencer } from '../../../../sequencer/index.ts';
import { conditions, type WalkParameters, type WalkUsage } from '../benchmarks/walks.ts';
import { answer, parameters, say } from './dialogue.ts';

// A sequencer with three integrations, each of which guards one thing in a Map.
const { kubeconfigYaml } = parameters<WalkParameters>();
const requests: Record<string, number> = {};
const observer: ClientObserver = {
  request: ({ verb, kind, subresource }, work) => {
    const name = `${verb} ${kind} ${subresource}`;
    requests[name] = (requests[name] ?? 0) + 1;
    return work();
  },
};
const client = createClient({ connection: await loadConnection({ kubeconfig: { yaml: kubeconfigYaml } }), observer });

const integrations = conditions.map((condition) => {
  const there = new Map<string, { host: string }>();
  const thing = externalResource<{ host: string }, { id: string }>({
    label: 'thing',
    identity: 'tag',
    find: async ({ mark }) => (there.has(mark) ? { id: mark } : undefined),
    create: async (wanted, { owner: { mark } }) => {
      there.set(mark, wanted);
      return { id: { id: mark } };
    },
    update: async ({ id }, wanted) => void there.set(id, wanted),
    delete: async ({ id }) => void there.delete(id),
  });
  return defineIntegration({
    name: condition.toLowerCase(),
    condition,
    handles: ({ spec }) => spec.components !== undefined,
    connect: ({ workspace, controller }) => ({
      reconcile: () => controller.ensure(thing, { host: workspace.metadata.name }),
      terminate: () => controller.destroy(thing),
    }),
  });
});

const sequencer = createSequencer({ client, integrations, workers: 16, operatorNamespace: 'default' });
const stop = new AbortController();
const running = sequencer.run(stop.signal);
await Promise.race([sequencer.synced, running]);
say('works');
await answer((): WalkUsage => ({ requests }));
stop.abort();
await running;
await client.close();
