/** A third party that outlives the killed sequencer. */

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** A thing that exists or existed. */
export interface Thing {
  /** Condition that it belongs to. */
  readonly type: string;
  /** The uid of the workspace that it belongs to. */
  readonly owner: string;
  readonly key: string;
  /** Number of times it was created; more than one is a failure. */
  readonly made: number;
  readonly exists: boolean;
}

/** A third party that outlives its clients and records everything ever created. */
export interface ThirdParty {
  readonly url: string;
  /** All existing and former things. */
  things(): readonly Thing[];
  /** Removes everything of a workspace, as a person would. */
  removeAll(owner: string): void;
  close(): Promise<void>;
}

interface Order {
  readonly type: string;
  readonly owner: string;
  readonly key: string;
  /** Creates it only if none exists for this condition of this workspace; returns the key of the existing one. */
  readonly conditional?: boolean;
}

type Answer = readonly [status: number, body: object];

/** Starts it on a free port of the loopback interface; every change takes `latency` ms before and as much after its execution. */
export async function startThirdParty({ latency }: { readonly latency: number }): Promise<ThirdParty> {
  const things = new Map<string, Thing>();

  const make = ({ conditional, ...order }: Order): Answer => {
    const there = [...things.values()].find(
      ({ type, owner, exists }) => exists && type === order.type && owner === order.owner,
    );
    if (conditional && there !== undefined) return [409, { key: there.key }];
    things.set(order.key, { ...order, made: (things.get(order.key)?.made ?? 0) + 1, exists: true });
    return [201, { key: order.key }];
  };
  const take = ({ type, owner, key }: Order): Answer => {
    for (const thing of things.values())
      if (thing.type === type && thing.owner === owner && (key === '' || thing.key === key))
        things.set(thing.key, { ...thing, exists: false });
    return [200, {}];
  };
  const carryOut: Readonly<Record<string, (order: Order) => Answer>> = { POST: make, DELETE: take };

  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const order = JSON.parse(await text(request)) as Order;
    await sleep(latency);
    const done = carryOut[request.method ?? '']!(order);
    await sleep(latency);
    return done;
  };
  const server = createServer((request, response) => {
    void answer(request).then(
      ([status, body]) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      (error: unknown) => response.writeHead(400).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    things: () => [...things.values()],
    removeAll: (owner) => {
      for (const thing of things.values())
        if (thing.owner === owner) things.set(thing.key, { ...thing, exists: false });
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
