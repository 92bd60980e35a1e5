/** Workspaces in all states, walked by a real sequencer, for the picture of the page. */

import {
  type Client,
  createClient,
  DefiniteError,
  defineIntegration,
  ensureCrds,
  type Integration,
  Namespace,
  SecretRegistry,
  systemClock,
  Workspace,
} from '../../../../sdk/index.ts';
import { openDevPage } from '../../../../sequencer/cli/page/dev-page.ts';
import { createRestartableSequencer } from '../../../../sequencer/cli/reload/restartable-sequencer.ts';
import { createCluster } from '../../../cluster/index.ts';

interface Made {
  readonly condition: string;
  readonly after?: readonly string[];
  /** Workspaces for which it fails, and how. */
  readonly fails?: Readonly<Record<string, Error>>;
  /** Workspaces for which it does not end. */
  readonly hangs?: readonly string[];
}

const made = ({ condition, after = [], fails = {}, hangs = [] }: Made): Integration =>
  defineIntegration({
    name: `acme-${condition.toLowerCase()}`,
    condition,
    after,
    handles: () => true,
    connect: ({ workspace, controller }) => ({
      async reconcile() {
        const { name, uid = '' } = workspace.metadata;
        if (controller.condition.status === 'Completed') return;
        await controller.guard(`creating the ${condition.toLowerCase()} of ${name}`, async ({ signal }) => {
          await systemClock.sleep(hangs.includes(name) ? 600_000 : 200 + Math.random() * 600, signal);
          if (fails[name] !== undefined) throw fails[name];
          const id = `${condition.toLowerCase()}-${uid.slice(0, 8)}`;
          return { status: 'Completed', reason: `${id} is there`, refs: [{ id }] };
        });
      },
      terminate: async () => undefined,
    }),
  });

const integrations = [
  made({
    condition: 'Database',
    fails: { search: new DefiniteError('quota exceeded: 20 of 20 databases are in use') },
  }),
  made({ condition: 'Bucket', fails: { billing: new Error('the connection was reset while its answer was awaited') } }),
  made({ condition: 'Components', after: ['Database', 'Bucket'] }),
  made({ condition: 'DNS', after: ['Components'] }),
  made({ condition: 'Certificate', after: ['DNS'], hangs: ['shop'] }),
  made({ condition: 'Mail', after: ['DNS'] }),
];

const names: readonly string[] = [
  'team-a/blog',
  'team-a/docs',
  'team-a/shop',
  'team-a/shop-pr-17',
  'team-b/billing',
  'team-b/search',
  'team-b/status',
];

async function createAll(client: Client): Promise<void> {
  for (const namespace of ['team-a', 'team-b']) await client.create(Namespace, { metadata: { name: namespace } });
  for (const key of names) {
    const [namespace = '', name = ''] = key.split('/');
    await client.create(Workspace, { metadata: { name, namespace }, spec: {} });
  }
}

/** Walks the workspaces, and opens their page. */
export async function aShowcase() {
  const cluster = await createCluster();
  const connect = () => createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  const client = connect();
  await ensureCrds(client, [Workspace]);
  const secrets = new SecretRegistry();
  const { pino } = await import('pino');
  const say = (): void => undefined;
  const sequencer = createRestartableSequencer({ connect, logger: pino({ level: 'silent' }), secrets, say });
  const options = { client, sequencer, secrets, cluster, className: undefined, clock: systemClock, say };
  const page = await openDevPage({ ...options, port: 0, control: true });
  await sequencer.start({ integrations });
  await createAll(client);
  return {
    address: page.address,
    async [Symbol.asyncDispose]() {
      await sequencer.kill();
      await page[Symbol.asyncDispose]();
      await cluster.close();
    },
  };
}
