/** Replays recordings against a server. */

import type { ConnectionOptions } from 'node:tls';
import type { Dispatcher } from 'undici';
import { NameMapping } from './name-mapping.ts';
import { type RecordedRequest, type RecordedResponse, type RecordedStep, readRecording } from './recording.ts';

/** Difference between a recorded and an actual answer. */
export interface Difference {
  /** Line of the recording, from 1. */
  readonly line: number;
  /** Method and path as recorded. */
  readonly request: string;
  /** Description that begins with the differing path, such as `body.spec.replicas`. */
  readonly what: string;
}

/** Server to replay against. */
export interface ReplayTarget {
  /** URL of the server. */
  readonly server: string;
  /** Credentials of an administrator. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Dispatcher of requests. @default over the network, with `tls` */
  readonly dispatcher?: Dispatcher;
  readonly tls?: Pick<ConnectionOptions, 'ca' | 'cert' | 'key' | 'rejectUnauthorized' | 'servername'>;
  /** Idle time after which a watch is considered complete, in ms. @default 500 */
  readonly quiet?: number;
  /** Time-out of an answer, in ms. @default 30_000 */
  readonly timeout?: number;
}

/** Result of a replay. */
export interface Replayed {
  readonly requests: number;
  readonly differences: readonly Difference[];
}

interface OpenWatch {
  readonly events: unknown[];
  readonly request: string;
  isOver: boolean;
  close(): void;
}

/** Replay in progress. */
interface Run {
  readonly target: ReplayTarget;
  readonly dispatcher: Dispatcher;
  readonly names: NameMapping;
  readonly watches: Map<string, OpenWatch>;
}

function headersOf(recorded: RecordedRequest, { headers = {} }: ReplayTarget): Record<string, string | string[]> {
  const all = Object.entries({ ...headers, ...recorded.headers });
  return Object.fromEntries(
    all.flatMap(([name, value]) => (value === null ? [] : [[name, typeof value === 'string' ? value : [...value]]])),
  );
}

function bodyOf({ body, bodyBase64 }: RecordedRequest, names: NameMapping): Buffer | null {
  if (body !== undefined) return Buffer.from(JSON.stringify(names.inValue(body)));
  return bodyBase64 === undefined ? null : Buffer.from(bodyBase64, 'base64');
}

/** Loads undici on first use, which spares importers of the cluster. */
const undici = () => import('undici');

async function send({ target, dispatcher, names }: Run, recorded: RecordedRequest, signal: AbortSignal) {
  const { request } = await undici();
  return request(target.server + names.inPath(recorded.path), {
    dispatcher,
    method: recorded.method as 'GET',
    headers: headersOf(recorded, target),
    body: bodyOf(recorded, names),
    signal,
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function* answerDifferences(
  expected: RecordedResponse,
  actual: RecordedResponse,
  names: NameMapping,
): Generator<string> {
  if (expected.status !== actual.status) {
    const message = (actual.body as { readonly message?: string } | undefined)?.message ?? '';
    return yield `status: expected ${expected.status}, got ${actual.status} ${message}`.trim();
  }
  yield* names.differences(expected.headers, actual.headers, 'headers');
  if (expected.body !== undefined) yield* names.differences(expected.body, actual.body, 'body');
  else if (expected.text !== undefined && names.inText(expected.text) !== actual.text)
    yield 'text: not the recorded one';
}

async function* ask(run: Run, recorded: RecordedRequest, expected: RecordedResponse): AsyncGenerator<string> {
  const signal = AbortSignal.timeout(run.target.timeout ?? 30_000);
  const { statusCode, headers, body } = await send(run, recorded, signal);
  const text = await body.text();
  const { 'content-type': type, warning } = headers;
  const value = String(type).includes('json') ? jsonOf(text) : undefined;
  const actual: RecordedResponse = {
    status: statusCode,
    headers: {
      ...(type !== undefined && { 'content-type': type }),
      ...(warning !== undefined && { warning: [warning].flat() }),
    },
    ...(value === undefined ? { text } : { body: value }),
  };
  yield* answerDifferences(expected, actual, run.names);
}

async function* watch(run: Run, recorded: RecordedRequest & { readonly id: string }): AsyncGenerator<string> {
  const aborter = new AbortController();
  const { statusCode, body } = await send(run, recorded, aborter.signal);
  const opened: OpenWatch = { events: [], request: nameOf(recorded), isOver: false, close: () => aborter.abort() };
  run.watches.set(recorded.id, opened);
  const end = () => {
    opened.isOver = true;
  };
  let rest = '';
  body.on('end', end).on('close', end).on('error', end);
  body.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    opened.events.push(...lines.filter((line) => line !== '').map(jsonOf));
  });
  if (statusCode !== 200) yield `status: expected 200, got ${statusCode}`;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function* collect(
  { target, names, watches }: Run,
  id: string,
  events: readonly unknown[],
): AsyncGenerator<string> {
  const opened = watches.get(id);
  if (opened === undefined) return yield `there is no ${id}`;
  const step = 10;
  for (
    let quiet = 0, seen = -1;
    quiet < (target.quiet ?? 500) && !opened.isOver && opened.events.length < events.length;
    quiet += step
  ) {
    if (opened.events.length > seen) [quiet, seen] = [0, opened.events.length];
    await pause(step);
  }
  opened.close();
  yield* names.differences(events, opened.events.slice(0, Math.max(events.length, opened.events.length)), 'events');
}

const nameOf = ({ method, path }: RecordedRequest): string => `${method} ${path}`;

function replayStep(
  run: Run,
  step: RecordedStep,
): { readonly name: string; readonly found: AsyncGenerator<string> } | undefined {
  if ('request' in step) return { name: nameOf(step.request), found: ask(run, step.request, step.response) };
  if ('watch' in step) return { name: nameOf(step.watch), found: watch(run, step.watch) };
  if ('collect' in step) {
    return {
      name: run.watches.get(step.collect)?.request ?? step.collect,
      found: collect(run, step.collect, step.events),
    };
  }
  return undefined;
}

/**
 * Sends the recorded requests in order and compares the answers. Uids, versions, times, addresses and generated names
 * may differ, but must correspond.
 * Throws a TypeError for an invalid recording; rejects when the server does not answer.
 */
export async function replayRecording(recording: string, target: ReplayTarget): Promise<Replayed> {
  const steps = readRecording(recording);
  const { Agent } = await undici();
  const dispatcher = target.dispatcher ?? new Agent({ connect: target.tls ?? {}, connections: 64 });
  const run: Run = { target, dispatcher, names: new NameMapping(), watches: new Map() };
  const differences: Difference[] = [];
  try {
    for (const [index, step] of steps.entries()) {
      const replayed = replayStep(run, step);
      if (replayed === undefined) continue;
      for await (const what of replayed.found) differences.push({ line: index + 1, request: replayed.name, what });
    }
  } finally {
    for (const opened of run.watches.values()) opened.close();
    if (target.dispatcher === undefined) await dispatcher.destroy();
  }
  return { requests: steps.filter((step) => 'request' in step || 'watch' in step).length, differences };
}
