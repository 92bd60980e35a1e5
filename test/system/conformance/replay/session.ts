/** In-memory cluster of one case, in virtual time. */

import { gunzipSync } from 'node:zlib';
import { type Dispatcher, request } from 'undici';
import { createManualClock, type ManualClock } from '../../../cluster/apimachinery/clock/manual-clock.ts';
import { type Cluster, createCluster } from '../../../cluster/index.ts';
import type { Answer } from './compare.ts';
import type { RecordedRequest } from './recording.ts';

/** One line of a watch. */
export interface WatchEvent {
  readonly type?: string;
  readonly object?: unknown;
}

/** An open watch. */
export interface OpenWatch {
  readonly answer: Answer;
  /** Received events that were not consumed yet. */
  readonly events: WatchEvent[];
  readonly isOver: () => boolean;
  close(): void;
}

/** The cluster of one case; its time advances only during waits. */
export interface Session {
  readonly host: string;
  ask(recorded: RecordedRequest): Promise<Answer>;
  watch(recorded: RecordedRequest): Promise<OpenWatch>;
  /** Advances time by steps of 50 ms until the predicate holds or `ms` are over; reports whether it holds. */
  wait(ms: number, holds: () => boolean): Promise<boolean>;
  compact(): void;
  close(): Promise<void>;
}

const anonymous = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

function bytesOf({ body, rawBody, bodyBase64, bodyRepeat }: RecordedRequest): Buffer | null {
  if (body !== undefined) return Buffer.from(JSON.stringify(body));
  if (rawBody !== undefined) return Buffer.from(rawBody);
  if (bodyBase64 !== undefined) return Buffer.from(bodyBase64, 'base64');
  if (bodyRepeat === undefined) return null;
  const { prefix, text, times, suffix } = bodyRepeat;
  return Buffer.from(prefix + text.repeat(times) + suffix);
}

const defaults = { accept: 'application/json', 'user-agent': 'conformance/1.0' };

function headersOf({ headers = {}, body }: RecordedRequest, host: string): Record<string, string> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const all = { host, ...defaults, ...type, ...headers };
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null));
}

function jsonOf(text: string, headers: Answer['headers']): unknown {
  if (!String(headers['content-type']).includes('json')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function answerOf({ statusCode, headers: given }: Dispatcher.ResponseData, body: Uint8Array): Answer {
  const headers = given.warning === undefined ? given : { ...given, warning: [given.warning].flat() };
  const text = (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : Buffer.from(body)).toString();
  return { status: statusCode, headers, text, body: jsonOf(text, headers) };
}

/** Sends requests to a cluster without a socket. */
type Send = (recorded: RecordedRequest) => Promise<Dispatcher.ResponseData>;

function senderTo(cluster: Cluster, host: string): Send {
  const nobody = cluster.dispatcherAs(anonymous);
  return (recorded) =>
    request(cluster.url + recorded.path, {
      dispatcher: recorded.headers?.authorization === null ? nobody : cluster.dispatcher,
      method: (recorded.method ?? 'GET') as Dispatcher.HttpMethod,
      headers: headersOf(recorded, host),
      body: bytesOf(recorded),
    });
}

async function openWatch(response: Dispatcher.ResponseData): Promise<OpenWatch> {
  const events: WatchEvent[] = [];
  if (response.statusCode !== 200) {
    const answer = answerOf(response, await response.body.bytes());
    return { answer, events, isOver: () => true, close: () => {} };
  }
  let isOver = false;
  let text = '';
  const end = () => {
    isOver = true;
  };
  response.body.on('end', end).on('close', end).on('error', end);
  response.body.on('data', (chunk: Buffer) => {
    const lines = (text + chunk).split('\n');
    text = lines.pop() ?? '';
    events.push(...lines.filter(Boolean).map((line) => JSON.parse(line) as WatchEvent));
  });
  return {
    answer: { status: 200, headers: response.headers, body: undefined, text: '' },
    events,
    isOver: () => isOver,
    close: () => response.body.destroy(),
  };
}

/** Step by which time advances during a wait, ms. */
const tick = 50;
/** ms of the cluster's time after which a wait for an answer is given up. */
const maxWait = 60_000;

/** Resolves with the work's result; time advances meanwhile. */
async function timed<T>(clock: ManualClock, work: Promise<T>): Promise<T> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  done.catch(() => {});
  for (let passed = 0; !isDone && passed < maxWait; passed += tick) await clock.advance(passed === 0 ? 0 : tick);
  if (!isDone) throw new Error(`no answer within ${maxWait} ms of the cluster's time`);
  return done;
}

/** Starts a cluster for one case. */
export async function createSession(): Promise<Session> {
  const clock = createManualClock();
  const cluster = await createCluster({ clock, rbac: true, kubelet: false, namespaceController: { delay: tick } });
  const { host } = new URL(cluster.url);
  const send = senderTo(cluster, host);
  return {
    host,
    ask: (recorded) =>
      timed(
        clock,
        send(recorded).then(async (response) => answerOf(response, await response.body.bytes())),
      ),
    watch: (recorded) => timed(clock, send(recorded).then(openWatch)),
    async wait(ms, holds) {
      await clock.advance(0);
      for (let passed = 0; !holds() && passed < ms; passed += tick) await clock.advance(tick);
      return holds();
    },
    compact: () => cluster.compact(),
    close: () => cluster.close(),
  };
}
