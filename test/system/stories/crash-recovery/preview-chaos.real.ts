import test from 'ava';
import { startRealServer } from '../../real/server.ts';
import { tellOfPreviewChaos } from './preview-chaos.ts';

const workspaces = Number(process.env.PREVIEW_CHAOS ?? 8);
const trouble = Number(process.env.PREVIEW_CHAOS_SECONDS ?? 28) * 1_000;
/** Part of the trouble that comes while workspaces become ready; the rest comes while they are deleted. */
const partOfUp = 5 / 7;

test.serial('preview environments survive killed sequencers, and third parties that stop and forget', async (t) => {
  t.timeout(420_000 + trouble + workspaces * 15_000);
  const server = await startRealServer();
  t.teardown(server.close);
  await tellOfPreviewChaos(t, {
    server,
    workspaces,
    chaos: { up: trouble * partOfUp, down: trouble * (1 - partOfUp) },
    times: { lease: 6_000, margin: 800, maxRequest: 3_000 },
    deadline: 2_500,
    progress: (line) => process.stderr.write(`preview chaos, ${line}\n`),
  });
});
