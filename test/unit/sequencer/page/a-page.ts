/** A cluster with its page, and readers of the page's live stream. */

import type { ExecutionContext } from 'ava';
import { createClient, Event, ensureCrds, type Integration, systemClock, Workspace } from '../../../../sdk/index.ts';
import { SseParser } from '../../../../sequencer/page/browser/model/sse-parser.ts';
import { accessByToken } from '../../../../sequencer/page/page-access.ts';
import type { LiveMessages } from '../../../../sequencer/page/page-model.ts';
import { createPageServer, type PageServerOptions } from '../../../../sequencer/page/page-server.ts';
import { createPageSource } from '../../../../sequencer/page/page-source.ts';
import { processViewOf } from '../../../../sequencer/page/process-view.ts';
import { createCluster } from '../../../cluster/index.ts';

/** Token of the page. */
export const token = 'a-token-of-this-test';

/** Message of a live stream. */
export type LiveMessage = {
  [Name in keyof LiveMessages]: { type: Name; value: LiveMessages[Name] };
}[keyof LiveMessages];

/** Reads a stream message by message. */
export async function* messagesOf(answer: Response): AsyncGenerator<LiveMessage> {
  const parser = new SseParser();
  const decoder = new TextDecoder();
  for await (const chunk of answer.body ?? [])
    for (const { event, data } of parser.feed(decoder.decode(chunk, { stream: true })))
      yield { type: event, value: JSON.parse(data) } as LiveMessage;
}

/** Reads messages of one type until one fits. */
export async function told<Name extends keyof LiveMessages>(
  messages: AsyncGenerator<LiveMessage>,
  type: Name,
  fits: (value: LiveMessages[Name]) => boolean = () => true,
): Promise<LiveMessages[Name]> {
  for (;;) {
    const { value, done } = await messages.next();
    if (done) throw new Error(`the stream ended without ${type}`);
    if (value.type === type && fits(value.value as LiveMessages[Name])) return value.value as LiveMessages[Name];
  }
}

/** An integration of a condition that does nothing. */
export const idle = (condition: string): Integration => ({
  name: condition.toLowerCase(),
  condition,
  handles: () => true,
  connect: () => ({ reconcile: async () => undefined, terminate: async () => undefined }),
});

/** Starts the page of a new cluster. */
export async function aPage(t: ExecutionContext, options: Partial<PageServerOptions> = {}) {
  const cluster = await createCluster();
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  await ensureCrds(client, [Workspace]);
  const { clock = systemClock } = options;
  const redact = (text: string) => text.replaceAll('hunter2', '***');
  const source = createPageSource({ client, clock, redact });
  const integrations = [idle('DNS')];
  const stop = new AbortController();
  const server = createPageServer({
    port: 0,
    mode: 'dev',
    access: accessByToken(token),
    source,
    client,
    integrations: () => integrations,
    process: () => processViewOf({ health: undefined, limits: [], problems: [] }, integrations),
    redact,
    ...options,
  });
  const running = server.run(stop.signal);
  const address = `http://127.0.0.1:${await server.listening}`;
  t.teardown(async () => {
    stop.abort();
    await running;
    await client.close();
    await cluster.close();
  });
  const ask = (path: string, { headers, ...init }: RequestInit & { readonly headers?: Record<string, string> } = {}) =>
    fetch(`${address}${path}`, { ...init, headers: { authorization: `Bearer ${token}`, ...headers } });
  return { cluster, client, source, address, ask, running, stop };
}

/** Creates a workspace, with a status if one is given. */
export async function aStored(
  client: ReturnType<typeof createClient>,
  name: string,
  status?: Workspace['status'],
): Promise<void> {
  const namespace = 'default';
  await client.create(Workspace, { metadata: { name, namespace }, spec: {} });
  if (status !== undefined)
    await client.patch(Workspace, { name, namespace }, { type: 'merge', value: { status } }, { subresource: 'status' });
}

/** Creates an event about a workspace; the number is its time in seconds. */
export const anEvent = (client: ReturnType<typeof createClient>, about: string, number: number): Promise<Event> =>
  client.create(Event, {
    metadata: { name: `${about}.${number}`, namespace: 'default' },
    involvedObject: { kind: 'Workspace', name: about, namespace: 'default', apiVersion: 'se.quencer.io/v1alpha1' },
    reason: 'Told',
    message: `hunter2 ${number}`,
    type: 'Warning',
    lastTimestamp: new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString().replace('.000', ''),
    reportingComponent: 'sequencer',
  } as unknown as Parameters<typeof client.create<Event>>[1]);
