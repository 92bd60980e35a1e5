/** Sends the requests of a step to a server. */

import { Agent, type Dispatcher, request } from 'undici';
import type { Hooks } from './hooks.ts';
import { filledIn, hasAt, type Memory, type Step, withChanges } from './scenario.ts';

/** A server, and the administrator's access to it. */
export interface Peer {
  readonly url: string;
  readonly token: string;
  readonly dispatcher: Dispatcher;
  /** Webhooks that it may call. */
  readonly hooks?: Hooks;
  /** Headers of its answers to compare besides the default ones. @default none */
  readonly headers?: readonly string[] | undefined;
}

/** Answer of a step. */
export interface Answer {
  readonly status: number;
  /** Compared headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON where possible; for a watch, the list of its events. */
  readonly body: unknown;
}

const maxAnswerLength = 10_000;
/** Longest wait for asynchronous effects, ms: a real garbage collector discovers new kinds after half a minute. */
const maxWait = 45_000;
/** Longest wait in ms for further events of a watch. */
const maxWatchMs = 5_000;
const compared = ['content-type', 'warning', 'retry-after', 'allow', 'location'];

/** Reaches a server over HTTPS, without the product's client. */
export const peerAt = (address: { readonly url: string; readonly token: string; readonly ca: string }): Peer => ({
  url: address.url,
  token: address.token,
  dispatcher: new Agent({ connect: { ca: address.ca }, connections: 16, allowH2: false }),
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function eventsOf(body: AsyncIterable<Buffer>, most: number, stop: AbortController): Promise<unknown[]> {
  const timer = setTimeout(() => stop.abort(), maxWatchMs);
  let text = '';
  try {
    for await (const chunk of body) {
      text += chunk;
      if (text.split('\n').length > most) break;
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
  return text.split('\n').filter(Boolean).slice(0, most).map(parsed);
}

interface OpenWatch {
  readonly body: AsyncIterable<Buffer>;
  readonly stop: AbortController;
}

/** State that steps may refer to, and the open watches by the names that steps gave them. */
export interface Asking extends Memory {
  /** Open watches. @default no step can open one */
  readonly open?: Map<string, OpenWatch>;
}

function bodyOf(step: Step, memory: Memory): string | undefined {
  const base = step.from === undefined ? step.body : memory.answers[step.from];
  const body = step.set === undefined ? base : withChanges(base, step.set);
  if (body === undefined) return undefined;
  const filled = filledIn(body, memory);
  return typeof filled === 'string' ? filled : JSON.stringify(filled);
}

interface Filled extends Step {
  readonly path: string;
  readonly body: string | undefined;
}

/** Collects the first events of a watch that an earlier step has opened. */
async function collect({ collects = '', events = 1 }: Step, { open }: Asking): Promise<Answer> {
  const watch = open?.get(collects);
  if (watch === undefined) return { status: 0, headers: {}, body: `no watch "${collects}" is open` };
  open!.delete(collects);
  return { status: 200, headers: {}, body: await eventsOf(watch.body, events, watch.stop) };
}

/** Media type of a body, unless a step names one. */
const usualType = (method: string): string =>
  method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';

function requestTo(peer: Peer, step: Filled, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
  const { path, body } = step;
  const method = step.method ?? (body === undefined ? 'GET' : 'POST');
  const type = step.contentType ?? usualType(method);
  const isOfHooks = peer.hooks !== undefined && path.startsWith(peer.hooks.url);
  return request(isOfHooks ? path : peer.url + path, {
    method: method as Dispatcher.HttpMethod,
    dispatcher: isOfHooks ? peer.hooks.dispatcher : peer.dispatcher,
    headers: {
      accept: 'application/json',
      'user-agent': 'differential/1',
      ...(peer.token !== '' && { authorization: `Bearer ${peer.token}` }),
      ...(body !== undefined && { 'content-type': type }),
      ...step.headers,
    },
    body: body ?? null,
    headersTimeout: maxAnswerLength,
    signal,
  });
}

async function sendOnce(peer: Peer, step: Filled, { open }: Asking): Promise<Answer> {
  const stop = new AbortController();
  const response = await requestTo(peer, step, stop.signal);
  const given = [...compared, ...(peer.headers ?? [])].filter((name) => response.headers[name] !== undefined);
  const headers = Object.fromEntries(given.map((name) => [name, [response.headers[name]].flat().join(', ')]));
  if (step.opens !== undefined && response.statusCode === 200) {
    open?.set(step.opens, { body: response.body, stop });
    return { status: 200, headers, body: '' };
  }
  if (step.events !== undefined && response.statusCode === 200) {
    return { status: 200, headers, body: await eventsOf(response.body, step.events, stop) };
  }
  return { status: response.statusCode, headers, body: parsed(await response.body.text()) };
}

const silence = (error: unknown): Answer => ({ status: 0, headers: {}, body: `no answer: ${error}` });

/** Sends a request to a server; the status is 0 when there is no answer within 10 s. */
export async function ask(peer: Peer, step: Step, memory: Asking): Promise<Answer> {
  if (step.collects !== undefined) return collect(step, memory);
  const path = String(filledIn(step.path, memory));
  const headers = filledIn(step.headers ?? {}, memory) as NonNullable<Step['headers']>;
  const filled = { ...step, path, headers, body: bodyOf(step, memory) };
  const { until, awaits = {} } = step;
  const deadline = performance.now() + maxWait;
  for (;;) {
    const answer = await sendOnce(peer, filled, memory).catch(silence);
    const isThere = (until === undefined || answer.status === until) && hasAt(answer.body, awaits);
    if (isThere || performance.now() > deadline) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
