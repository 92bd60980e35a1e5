/** The page of `sequencer dev`, for the person at this machine. */

import {
  type Client,
  type Clock,
  messageOf,
  parseKey,
  type SecretRegistry,
  UserError,
  Workspace,
} from '../../../sdk/index.ts';
import type { Cluster } from '../../../test/cluster/index.ts';
import { accessByToken, newToken } from '../../page/page-access.ts';
import type { PageAnswer } from '../../page/page-model.ts';
import { createPageServer, type PageAction } from '../../page/page-server.ts';
import { createPageSource } from '../../page/page-source.ts';
import { processViewOf } from '../../page/process-view.ts';
import { planRows } from '../../planning/plan-rows.ts';
import { isOfClass } from '../../run/operator-instance.ts';
import { readTenantConfigs } from '../../tenants/read-tenant-configs.ts';
import type { RestartableSequencer } from '../reload/restartable-sequencer.ts';
import { followObjects } from './cluster-objects.ts';
import { controlActions } from './control-actions.ts';

/** Options of {@link openDevPage}. */
export interface DevPageOptions {
  /** 0 picks any free port. */
  readonly port: number;
  /** Client of the page, with its own User-Agent. */
  readonly client: Client;
  readonly sequencer: RestartableSequencer;
  readonly className: string | undefined;
  readonly secrets: SecretRegistry;
  /** The cluster if it is in memory. */
  readonly cluster: Cluster | undefined;
  /** Offers faults; in memory only. */
  readonly control: boolean;
  readonly clock: Clock;
  readonly say: (...lines: readonly string[]) => void;
}

/** Open page; disposing closes it. */
export interface DevPage extends AsyncDisposable {
  /** Address with the token in its fragment, which no browser sends to a server. */
  readonly address: string;
}

/** Dry run of the integrations for a workspace, as `sequencer plan` does. */
const planning =
  ({ client, clock, sequencer, secrets }: DevPageOptions, signal: AbortSignal): PageAction =>
  async (key): Promise<PageAnswer> => {
    if (key === undefined) throw new UserError('E#2001', 'select a workspace first');
    const workspace = await client.get(Workspace, parseKey(key), { signal });
    const { integrations: own, tenantIntegrations: types = {} } = sequencer.config;
    const notes: string[] = [];
    using tenants = await readTenantConfigs({
      ...{ client, clock, types, signal, operatorNamespace: 'default', note: (text) => void notes.push(text) },
      integrations: own,
      namespaces: [workspace.metadata.namespace ?? ''],
    });
    const integrations = tenants.integrationsOf(workspace);
    const rows = await planRows(workspace, { client, clock, integrations, signal });
    const changes = rows.filter(({ action, heldBack }) => action !== 'nothing' && !heldBack).length;
    return {
      message: [changes === 0 ? 'nothing would be changed' : `${changes} would be changed`, ...notes].join('; '),
      plan: rows.map(({ condition, action, what, heldBack }) => ({
        condition,
        action,
        what: secrets.redact(what),
        heldBack,
      })),
    };
  };

/** Adds a call after each action. */
const followedBy = (actions: Readonly<Record<string, PageAction>>, then: () => void): Record<string, PageAction> =>
  Object.fromEntries(
    Object.entries(actions).map(([name, action]) => [name, (key) => action(key).finally(then)] as const),
  );

/** Opens the page on the loopback interface. @throws UserError E#2030 if the port is taken */
export async function openDevPage(options: DevPageOptions): Promise<DevPage> {
  const { port, client, sequencer, className, secrets, cluster, control, clock, say } = options;
  const ended = new AbortController();
  const { signal } = ended;
  const redact = (text: string) => secrets.redact(text);
  const source = createPageSource({ client, clock, redact, isShown: (one) => isOfClass(one, className) });
  const token = newToken();
  const objects = cluster && followObjects(client, clock, signal);
  const controls = cluster && control ? controlActions({ cluster, client, sequencer, source, clock, say }) : {};
  const server = createPageServer({
    port,
    mode: 'dev',
    access: accessByToken(token),
    source,
    client,
    integrations: () => sequencer.integrations,
    process: () =>
      processViewOf(
        { health: sequencer.sequencer?.health(), limits: sequencer.sequencer?.limits() ?? [], problems: [] },
        sequencer.integrations,
      ),
    redact,
    actions: {
      plan: planning(options, signal),
      ...(objects ? followedBy(controls, objects.notifyListeners) : {}),
    },
    ...(cluster &&
      objects && {
        objects: {
          list: () => ({
            objects: objects.list(),
            faults: cluster.faults.list().map(({ sentence, hits }) => ({ sentence, hits })),
          }),
          listen: objects.listen,
        },
      }),
    clock,
  });
  const running = server.run(signal).catch(() => undefined);
  const bound = await server.listening.catch((error: unknown) => {
    ended.abort();
    throw new UserError('E#2030', `cannot serve the page on port ${port}: ${messageOf(error)}`, { cause: error });
  });
  return {
    address: `http://127.0.0.1:${bound}/#${token}`,
    async [Symbol.asyncDispose]() {
      ended.abort();
      await running;
      await client.close();
    },
  };
}
