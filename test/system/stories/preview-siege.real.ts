import test from 'ava';
import { startRealServer } from '../real/server.ts';
import { tellOfPreviewSiege } from './killed/preview-siege.ts';

test.serial('preview environments survive killed sequencers, and third parties that stop and forget', async (t) => {
  t.timeout(420_000);
  const server = await startRealServer();
  t.teardown(server.close);
  await tellOfPreviewSiege(t, {
    server,
    workspaces: Number(process.env.PREVIEW_SIEGE ?? 8),
    siege: { up: 20_000, down: 8_000 },
    times: { lease: 6_000, margin: 800, maxRequest: 3_000 },
    deadline: 2_500,
    progress: (line) => process.stderr.write(`preview siege, ${line}\n`),
  });
});
