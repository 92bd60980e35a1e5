import { Agent, type Dispatcher, request } from 'undici';
import { filledIn, type Step, withChanges } from './scenario.ts';

/** A server, and how an administrator reaches it. */
export interface Peer {
  readonly url: string;
  readonly token: string;
  readonly dispatcher: Dispatcher;
}

/** What was answered. */
export interface Answer {
  readonly status: number;
  /** Those of the headers that are compared. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON where it is some; a watch has a list of its events. */
  readonly body: unknown;
}

const longestAnswer = 20_000;
/** How long a watch is waited for that may have nothing more to say. */
const longestWatch = 5_000;
const compared = ['content-type', 'warning', 'retry-after', 'allow', 'location'];

/** Reaches a server by HTTPS, without our own client. */
export const peerAt = (address: { readonly url: string; readonly token: string; readonly ca: string }): Peer => ({
  url: address.url,
  token: address.token,
  dispatcher: new Agent({ connect: { ca: address.ca }, connections: 16 }),
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function eventsOf(body: AsyncIterable<Buffer>, most: number, stop: AbortController): Promise<unknown[]> {
  const timer = setTimeout(() => stop.abort(), longestWatch);
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
  return text.split('\n').filter(Boolean).map(parsed);
}

function bodyOf(step: Step, ns: string, answers: readonly unknown[]): string | undefined {
  const base = step.from === undefined ? step.body : answers[step.from];
  const body = step.set === undefined ? base : withChanges(base, step.set);
  if (body === undefined) return undefined;
  const filled = filledIn(body, ns, answers);
  return typeof filled === 'string' ? filled : JSON.stringify(filled);
}

async function sendOnce(peer: Peer, step: Step, path: string, body: string | undefined): Promise<Answer> {
  const method = step.method ?? (body === undefined ? 'GET' : 'POST');
  const type = step.contentType ?? (method === 'PATCH' ? 'application/merge-patch+json' : 'application/json');
  const stop = new AbortController();
  const response = await request(peer.url + path, {
    method: method as Dispatcher.HttpMethod,
    dispatcher: peer.dispatcher,
    headers: {
      accept: 'application/json',
      'user-agent': 'differential/1',
      ...(peer.token !== '' && { authorization: `Bearer ${peer.token}` }),
      ...(body !== undefined && { 'content-type': type }),
      ...step.headers,
    },
    body: body ?? null,
    headersTimeout: longestAnswer,
    signal: stop.signal,
  });
  const given = compared.filter((name) => response.headers[name] !== undefined);
  const headers = Object.fromEntries(given.map((name) => [name, String(response.headers[name])]));
  if (step.events !== undefined && response.statusCode === 200) {
    return { status: 200, headers, body: await eventsOf(response.body, step.events, stop) };
  }
  return { status: response.statusCode, headers, body: parsed(await response.body.text()) };
}

/** Asks a server; `answers` are the bodies that it gave to the steps before. Rejects when there is no answer within 20 s. */
export async function ask(peer: Peer, step: Step, ns: string, answers: readonly unknown[]): Promise<Answer> {
  const path = String(filledIn(step.path, ns, answers));
  const body = bodyOf(step, ns, answers);
  const deadline = performance.now() + longestAnswer;
  for (;;) {
    const answer = await sendOnce(peer, step, path, body);
    if (step.until === undefined || answer.status === step.until || performance.now() > deadline) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
