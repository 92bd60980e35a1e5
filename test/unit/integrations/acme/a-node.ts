/** Runs the containers of responders as processes of this machine, as a node would. */

import { type ChildProcess, spawn } from 'node:child_process';
import { type Client, Pod } from '../../../../sdk/index.ts';
import { freePorts } from '../../../system/real/free-ports.ts';

/** Node, and where its pods listen. */
export interface RealNode {
  /** Returns the address of the pods behind a Service. */
  readonly dial: (service: string) => string;
  /** Number of processes that were started. */
  readonly started: () => number;
  /** Runs pods as they come and go, until it is aborted. */
  run(client: Client, signal: AbortSignal): Promise<void>;
}

/** Makes a node with room for this many pods in its life. */
export async function aNode(room: number): Promise<RealNode> {
  const left = [...(await freePorts(room))];
  const ports = new Map<string, number>();
  const portOf = (name: string): number => {
    const port = ports.get(name) ?? left.pop();
    if (port === undefined) throw new Error(`the node has run ${room} pods already`);
    ports.set(name, port);
    return port;
  };
  const running = new Map<string, ChildProcess>();
  let started = 0;

  function start({ metadata: { name = '' }, spec }: Pod): void {
    const [{ command = [], env = [] } = {}] = spec?.containers ?? [];
    const given = Object.fromEntries(env.map((one) => [one.name, one.value]));
    const settings = { ...given, PORT: String(portOf(name)) };
    running.set(name, spawn(process.execPath, command.slice(1), { env: settings, stdio: 'ignore' }));
    started += 1;
  }

  function stop(name = ''): void {
    running.get(name)?.kill('SIGKILL');
    running.delete(name);
  }

  function follow({ type, object }: { readonly type: string; readonly object: Pod }): void {
    const { name = '', labels } = object.metadata;
    if (labels?.['acme.sequencer.io/responder'] === undefined) return;
    if (type === 'DELETED') stop(name);
    else if (!running.has(name)) start(object);
  }

  return {
    dial: (service) => `127.0.0.1:${portOf(service)}`,
    started: () => started,
    async run(client, signal) {
      const pods = async () => {
        for await (const event of client.watch(Pod, { signal })) if (event.type !== 'BOOKMARK') follow(event);
      };
      await pods().catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
      for (const name of running.keys()) stop(name);
    },
  };
}
