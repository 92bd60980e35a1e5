/** Fault actions of the page for an in-memory cluster, which demonstrate the guard. */

import { type Client, type Clock, parseKey, UserError, Workspace } from '../../../sdk/index.ts';
import type { Cluster } from '../../../test/cluster/index.ts';
import type { PageAction } from '../../page/page-server.ts';
import type { PageSource } from '../../page/page-source.ts';
import type { RestartableSequencer } from '../reload/restartable-sequencer.ts';

/** Prefix of the User-Agent of the sequencers that can be broken. */
export const walkerAgent = 'sequencer-dev';

/** ms without a sequencer after one was killed. */
const pause = 2000;

/** Options of {@link controlActions}. */
export interface ControlOptions {
  readonly cluster: Cluster;
  readonly client: Client;
  readonly sequencer: RestartableSequencer;
  readonly source: Pick<PageSource, 'listen' | 'workspace'>;
  readonly clock: Clock;
  /** Prints lines for the user. */
  readonly say: (...lines: readonly string[]) => void;
}

const answer = async (message: string) => ({ message });

/** Kills the sequencer, and starts another one after a pause. */
async function killAndStart({ sequencer, clock, say }: ControlOptions): Promise<void> {
  const { config } = sequencer;
  await sequencer.kill();
  say('killed      the sequencer; another one starts');
  clock.after(pause, () => {
    if (sequencer.sequencer === undefined) void sequencer.start(config);
  });
}

/** Returns the actions by their request path. */
export function controlActions(options: ControlOptions): Readonly<Record<string, PageAction>> {
  const { cluster, client, sequencer, source } = options;
  let stopWaiting: (() => void) | undefined;

  const killInMidChange = (): void => {
    stopWaiting?.();
    stopWaiting = source.listen((key) => {
      const guards = Object.values(source.workspace(key)?.status?.guards ?? {});
      if (sequencer.sequencer === undefined || !guards.some(({ phase }) => phase === 'intent')) return;
      stopWaiting?.();
      stopWaiting = undefined;
      void killAndStart(options);
    });
  };

  return {
    'control/drop-answer': () => {
      cluster.faults.add({
        on: 'patch',
        resource: 'workspaces/status',
        scope: { userAgent: walkerAgent },
        when: 'after',
        do: 'drop',
        times: 1,
      });
      return answer('the next write of a status is applied, and its response is dropped');
    },
    async 'control/kill'() {
      await killAndStart(options);
      return answer('killed; another sequencer starts in two seconds');
    },
    'control/kill-in-change': () => {
      killInMidChange();
      return answer('the sequencer is killed during its next change');
    },
    async 'control/wipe-status'(key) {
      if (key === undefined) throw new UserError('E#2001', 'select a workspace first');
      await client.patch(
        Workspace,
        parseKey(key),
        { type: 'merge', value: { status: null } },
        { subresource: 'status' },
      );
      return answer(`the status of ${key} was deleted, with its journal`);
    },
    'control/fix': () => {
      stopWaiting?.();
      stopWaiting = undefined;
      cluster.faults.clear();
      return answer('all faults are removed');
    },
  };
}
