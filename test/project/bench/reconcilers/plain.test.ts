import test from 'ava';
import { type Client, ConfigMap, canonicalJson, createInformerController, ensureCrds } from '../../../../sdk/index.ts';
import { aServer } from '../../../unit/sdk/a-server.ts';
import { plain } from './plain.ts';
import { Site } from './site.ts';
import { models } from './site-models.ts';

/** Describes a write without values that vary by cluster, time and author: uids, times and hashes. */
const wordsOf = (method: string, [kind, ...call]: readonly unknown[]): string => {
  const said = JSON.stringify([method, (kind as typeof Site).kind, ...call], (name, value) =>
    name === 'signal' || name === 'apiVersion' || name === 'kind' ? undefined : value,
  );
  return canonicalJson(JSON.parse(said.replaceAll(/[\da-f]{8}-[-\da-f]{27}|\d{4}-[-:.\dTZ]+Z|[\da-f]{32}/g, '#')));
};

/** Writes of a reconciler for one object until no work is left. */
async function written(reconciler: ReturnType<typeof plain>): Promise<readonly string[]> {
  const { client, key } = await aServer();
  await ensureCrds(client, [Site]);
  await client.create(Site, { metadata: key('a'), spec: { text: 'x' } });
  const said: string[] = [];
  const heard =
    (method: 'create' | 'patch') =>
    async (...call: readonly unknown[]) => {
      said.push(wordsOf(method, call));
      return (client[method] as (...call: readonly unknown[]) => Promise<never>)(...call);
    };
  const listened: Client = { ...client, create: heard('create'), patch: heard('patch'), server: client.server };
  const stop = new AbortController();
  const idle = Promise.withResolvers<void>();
  const controller = createInformerController<Site>({
    client: listened,
    kind: Site,
    owns: [ConfigMap],
    events: { event: () => undefined },
    async reconciler(request) {
      const before = said.length;
      const result = await reconciler(request);
      if (before > 0 && said.length === before && result.requeueAfter === undefined) idle.resolve();
      return result;
    },
  });
  const running = controller.run(stop.signal);
  await idle.promise;
  stop.abort();
  await running;
  return said;
}

for (const [model, { reconciler, ...writes }] of Object.entries(models))
  test(`what is measured beside ${model} writes the very same`, async (t) => {
    const [own, others] = await Promise.all([written(reconciler), written(plain(writes))]);
    t.is(own.length, writes.writes.length);
    t.deepEqual(others, own);
  });
