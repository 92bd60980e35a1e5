/** HTTP server of the page. */

import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import {
  aborted,
  type Client,
  type Clock,
  createHttpListener,
  type HttpListener,
  type Integration,
  messageOf,
  type Runnable,
  systemClock,
} from '../../sdk/index.ts';
import { followEvents } from './event-follower.ts';
import { type StreamInput, streamLive } from './live-stream.ts';
import type { PageAccess, Viewer } from './page-access.ts';
import { type Asset, loadAssets } from './page-assets.ts';
import type { PageAnswer, ProcessView } from './page-model.ts';
import { type PageTarget, pageHeaders, pageTargetOf } from './page-requests.ts';
import type { PageSource } from './page-source.ts';
import { viewOf } from './workspace-view.ts';

/** Action of the page; receives the key of the workspace that the viewer has open. */
export type PageAction = (workspace: string | undefined) => Promise<PageAnswer>;

/** Options of {@link createPageServer}. */
export interface PageServerOptions {
  /** TCP port; 0 picks any free one. */
  readonly port: number;
  /** Address to listen on. @default 127.0.0.1 */
  readonly host?: string;
  /** `dev`: for the person at this machine; `run`: read-only. */
  readonly mode: 'dev' | 'run';
  readonly access: PageAccess;
  readonly source: PageSource;
  readonly client: Client;
  /** Returns the integrations whose conditions are shown; called at each change. */
  readonly integrations: () => readonly Integration[];
  /** Returns the state of the sequencer. */
  readonly process: () => ProcessView;
  readonly redact: (text: string) => string;
  /** Buttons of the page: `control/NAME`. @default none */
  readonly actions?: Readonly<Record<string, PageAction>>;
  /** Objects of an in-memory cluster. @default none are shown */
  readonly objects?: StreamInput['objects'];
  readonly clock?: Clock;
  readonly logger?: Logger | undefined;
}

/** HTTP server of the page; serves until its signal aborts. */
export interface PageServer extends Runnable {
  /** Resolves with the port once it listens; rejects when it cannot. */
  readonly listening: Promise<number>;
}

/** ms within which a request must be received. */
const requestTimeout = 5000;
/** Limits of the connections, of the live streams, and of those of one viewer. */
const max = { connections: 512, streams: 128, streamsOfOne: 16 };

type AdmittedTarget = Exclude<PageTarget, { readonly kind: 'refused' }>;

class PageListening implements PageServer {
  readonly name = 'page';
  readonly #options: PageServerOptions;
  readonly #clock: Clock;
  readonly #rules: Parameters<typeof pageTargetOf>[1];
  readonly #listener: HttpListener;
  readonly #stop = new AbortController();
  /** Open streams by viewer. */
  readonly #streams = new Map<string, number>();
  #assets: Promise<ReadonlyMap<string, Asset>> | undefined;

  constructor(options: PageServerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#rules = { loopback: options.mode === 'dev', actions: new Set(Object.keys(options.actions ?? {})) };
    const { port, host = '127.0.0.1', logger } = options;
    this.#listener = createHttpListener({ name: this.name, port, host, logger });
  }

  get listening(): Promise<number> {
    return this.#listener.listening;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { createServer } = await import('node:http');
    const limits = { requestTimeout: requestTimeout, headersTimeout: requestTimeout };
    const server = createServer(limits, (request, response) => void this.#answer(request, response));
    server.maxConnections = max.connections;
    const stop = () => this.#stop.abort();
    signal.addEventListener('abort', stop, { once: true });
    const following = this.#options.source.run(AbortSignal.any([signal, this.#stop.signal]));
    try {
      await this.#listener.serve(server, signal);
    } finally {
      signal.removeEventListener('abort', stop);
      stop();
      await following;
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request;
    request.resume();
    const route = pageTargetOf({ method, url, headers }, this.#rules);
    try {
      if (route.kind === 'refused') return this.#say(response, route.status, route.text);
      await this.#serve(route, request, response);
    } catch (error) {
      this.#options.logger?.debug({ err: error }, 'request of the page failed');
      if (response.headersSent) response.destroy();
      else this.#say(response, 503, this.#options.redact(messageOf(error)));
    }
  }

  async #serve(route: AdmittedTarget, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (route.kind === 'asset') return this.#sendAsset(route.path, request, response);
    const viewer = await this.#options.access.admit(route.token);
    if (viewer === undefined) return this.#say(response, 401, 'this token is not valid');
    if (route.kind === 'live') return this.#stream(viewer, route.workspace, response);
    const answer = await this.#options.actions![route.name]!(route.workspace);
    this.#send(response, 200, { type: 'application/json', body: JSON.stringify(answer) });
  }

  async #sendAsset(path: string, { method, headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#assets ??= loadAssets();
    this.#assets.catch(() => {
      this.#assets = undefined;
    });
    const asset = (await this.#assets).get(path);
    if (asset === undefined) return this.#say(response, 404, 'not found');
    const { type, body, etag } = asset;
    const isKnown = headers['if-none-match'] === etag;
    response.writeHead(isKnown ? 304 : 200, {
      ...pageHeaders,
      'content-type': type,
      etag,
      'cache-control': 'no-cache',
    });
    response.end(isKnown || method === 'HEAD' ? undefined : body);
  }

  async #stream(viewer: Viewer, selected: string | undefined, response: ServerResponse): Promise<void> {
    const open = this.#streams.get(viewer.name) ?? 0;
    const all = [...this.#streams.values()].reduce((sum, count) => sum + count, 0);
    if (open >= max.streamsOfOne || all >= max.streams) return this.#say(response, 503, 'too many pages are open');
    this.#streams.set(viewer.name, open + 1);
    const closed = new AbortController();
    response.once('close', () => closed.abort());
    try {
      const refusal = await Promise.race([this.#options.source.firstResult(), aborted(closed.signal)]);
      closed.signal.throwIfAborted();
      if (refusal !== undefined) return this.#say(response, 503, this.#options.redact(refusal));
      response.writeHead(200, {
        ...pageHeaders,
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      });
      const sink = {
        write: (text: string) => response.write(text),
        drained: async () => void (await once(response, 'drain', { signal: closed.signal })),
      };
      const signal = AbortSignal.any([closed.signal, this.#stop.signal]);
      await streamLive(this.#inputOf(viewer, selected), sink, signal);
    } finally {
      const left = (this.#streams.get(viewer.name) ?? 1) - 1;
      if (left > 0) this.#streams.set(viewer.name, left);
      else this.#streams.delete(viewer.name);
      response.end();
    }
  }

  #inputOf(viewer: Viewer, selected: string | undefined): StreamInput {
    const { source, client, mode, integrations, redact, process, objects, actions = {} } = this.#options;
    const clock = this.#clock;
    const names = Object.keys(actions);
    return {
      source,
      viewer,
      selected,
      session: {
        viewer: viewer.name,
        mode,
        controls: names.flatMap((name) => (name.startsWith('control/') ? [name.slice('control/'.length)] : [])),
        plans: names.includes('plan'),
        now: clock.now(),
      },
      viewWorkspace: (workspace, events) =>
        viewOf(workspace, {
          integrations: integrations(),
          history: source.history,
          events: events?.latest(),
          redact,
        }),
      follow: (key, onChange) => followEvents(key, { client, clock, redact, onChange }),
      process,
      objects,
      clock,
    };
  }

  #say(response: ServerResponse, status: number, text: string): void {
    this.#send(response, status, { type: 'text/plain; charset=utf-8', body: `${text}\n` });
  }

  #send(response: ServerResponse, status: number, { type, body }: Pick<Asset, 'type' | 'body'>): void {
    const asks = status === 401 && { 'www-authenticate': 'Bearer' };
    response.writeHead(status, { ...pageHeaders, ...asks, 'content-type': type, 'cache-control': 'no-store' });
    response.end(body);
  }
}

/** Creates the server of the page, as a runnable. `run` rejects when the port is in use. */
export const createPageServer = (options: PageServerOptions): PageServer => new PageListening(options);
