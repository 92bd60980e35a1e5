// Runs the controller as an operator, on the cluster of the kubeconfig or of its pod, until Ctrl-C, SIGTERM or SIGHUP: `npm run operator`.
import { createClient, ensureCrds, loadConnection, runOperator, systemClock } from 'workspace-sequencer/sdk';
import { Website } from './website.ts';
import { createWebsiteController } from './website-controller.ts';

const client = createClient({ connection: await loadConnection({ env: process.env, clock: systemClock }) });

await ensureCrds(client, [Website]);
console.log(`reconciling Websites on ${client.server}`);
await runOperator({ controllers: [createWebsiteController(client)] });
await client.close();
