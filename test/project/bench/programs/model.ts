import { ConfigMap, createInformerController } from '../../../../sdk/index.ts';
import type { ModelParameters } from '../benchmarks/models.ts';
import { clientOf } from '../harness/connect.ts';
import { plain } from '../reconcilers/plain.ts';
import { Site } from '../reconcilers/site.ts';
import { models } from '../reconcilers/site-models.ts';
import { counting } from './counting.ts';
import { parameters } from './dialogue.ts';
import { createTally } from './tally.ts';

// A controller with one model, or with a reconciler that makes the same writes without one.
const { kubeconfigYaml, objects, model, isPlain } = parameters<ModelParameters>();
const { reconciler, ...written } = models[model]!;
const { writes } = written;
const tally = createTally(objects * writes.length);
const client = await clientOf(kubeconfigYaml);
const controller = createInformerController<Site>({
  client: counting(client, tally),
  kind: Site,
  owns: writes.includes('child') ? [ConfigMap] : [],
  reconciler: isPlain ? plain(written) : reconciler,
  events: { event: () => undefined },
  workers: 16,
});
const stop = new AbortController();
const running = controller.run(stop.signal);
await controller.synced;
await tally.untilTold();
stop.abort();
await running;
await client.close();
