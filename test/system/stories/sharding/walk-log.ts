/** A third party that is reported when a replica begins and ends to walk a workspace, and is asked whether its thing was made. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Message of a replica. */
export interface WalkMessage {
  readonly replica: string;
  readonly workspace: string;
  readonly does: 'begin' | 'end' | 'make';
}

/** The log of all replicas. */
export interface WalkLog {
  readonly url: string;
  /** Walks that began while another replica had not ended its own, as sentences. */
  readonly overlaps: readonly string[];
  /** Number of times that the thing of a workspace was made. */
  readonly made: ReadonlyMap<string, number>;
  /** Replica that has begun to walk a workspace last, and when: ms of `performance.now()`. */
  readonly last: ReadonlyMap<string, { readonly replica: string; readonly at: number }>;
  /** Notes that a replica is gone: what it has begun has ended. */
  gone(replica: string): void;
  close(): Promise<void>;
}

/** Starts it on a free port of the loopback interface. */
export async function startWalkLog(): Promise<WalkLog> {
  const overlaps: string[] = [];
  const made = new Map<string, number>();
  const last = new Map<string, { replica: string; at: number }>();
  const walking = new Map<string, string>();
  const note = ({ replica, workspace, does }: WalkMessage): void => {
    const other = walking.get(workspace);
    if (does === 'make') made.set(workspace, (made.get(workspace) ?? 0) + 1);
    else if (does === 'end') {
      if (other === replica) walking.delete(workspace);
    } else {
      if (other !== undefined && other !== replica)
        overlaps.push(`${replica} walks ${workspace}, and so does ${other}`);
      walking.set(workspace, replica);
      last.set(workspace, { replica, at: performance.now() });
    }
  };
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.writeHead(made.has(request.url?.slice(1) ?? '') ? 204 : 404).end();
      return;
    }
    void text(request).then((body) => {
      note(JSON.parse(body) as WalkMessage);
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    overlaps,
    made,
    last,
    gone(replica) {
      for (const [workspace, walker] of walking) if (walker === replica) walking.delete(workspace);
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
