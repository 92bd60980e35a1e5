/** Carries requests of simulated processes to the server and back, with faults. */

import type { ApiRequest, ApiResponse } from '../../../cluster/index.ts';
import type { Fault, RefusedWrite } from '../faults/faults.ts';
import { type Course, type Effect, perform } from './effect.ts';
import type { Process, World } from './process.ts';

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly value?: unknown;
}

const isEntry = (value: unknown): value is { phase: string; token: number } =>
  typeof value === 'object' && value !== null && 'phase' in value && 'token' in value;

function textOfStatusPatch(operations: readonly Operation[]): string {
  const writes = operations.filter(({ op }) => op !== 'test');
  for (const { path, value } of writes) {
    if (/^\/status\/guards\/[^/]+$/.test(path) && isEntry(value)) return `${value.phase} ${value.token}`;
    if (/\/(beat|late|refs)$/.test(path)) return path.slice(path.lastIndexOf('/') + 1);
    if (path === '/status/guards' && typeof value === 'object' && value !== null) {
      const entry = Object.values(value).find(isEntry);
      if (entry !== undefined) return `${entry.phase} ${entry.token} (first)`;
    }
  }
  return `status ${writes.map(({ path }) => path.split('/')[2]).join(',')}`;
}

function textOfMainPatch(body: unknown): string {
  if (!Array.isArray(body)) return 'merge';
  const writes = (body as readonly Operation[]).filter(({ op }) => op !== 'test');
  const finalizers = writes.find(({ path }) => path.includes('finalizers'));
  if (finalizers !== undefined) return finalizers.op === 'remove' ? 'release' : 'claim';
  return writes.some(({ path }) => path.includes('annotations')) ? 'mirror' : 'claim';
}

/** Describes a request in a word or two. */
function textOfRequest({ method, url, body }: ApiRequest): string {
  if (method === 'GET') return url.includes('watch=') ? 'watch' : 'read';
  const parsed: unknown =
    body === undefined || body.length === 0 ? undefined : JSON.parse(Buffer.from(body).toString());
  if (method === 'PUT') return `put${url.includes('/status') ? ' status' : ''}`;
  if (method !== 'PATCH') return method.toLowerCase();
  if (!url.includes('/status')) return textOfMainPatch(parsed);
  return Array.isArray(parsed) ? textOfStatusPatch(parsed as readonly Operation[]) : 'status';
}

/** Kind of the sequencer's write; undefined for reads, and for writes that no fault refuses. */
function writeOf({ method, url }: ApiRequest, text: string): RefusedWrite | undefined {
  if (method === 'GET' || method === 'DELETE') return undefined;
  if (url.includes('/secrets')) return 'secret';
  const [word = ''] = text.split(' ');
  return writes[word];
}

const writes: Readonly<Record<string, RefusedWrite>> = {
  none: 'note',
  claim: 'claim',
  intent: 'intent',
  beat: 'beat',
  refs: 'checkpoint',
  mirror: 'mirror',
  done: 'outcome',
  failed: 'outcome',
  unknown: 'outcome',
  gone: 'outcome',
  late: 'outcome',
  release: 'release',
  status: 'phase',
};

/** Message of every simulated refusal. */
export const refusalText = 'denied by the simulated policy';

const refusal = (code: number, reason: string, headers: Record<string, string> = {}): ApiResponse => ({
  status: code,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, code, message: refusalText }),
});

const reset = (): Promise<never> => Promise.reject(new Error('connection reset'));
const refused = (...answer: Parameters<typeof refusal>): Course<ApiResponse> => ({
  carriedOut: 'never',
  answer: async () => refusal(...answer),
});

/** Courses of a request by the fault that it meets. */
const courses: Readonly<Partial<Record<Fault['kind'], (ms: Fault['ms']) => Course<ApiResponse>>>> = {
  'request lost': () => ({ carriedOut: 'never', answer: reset }),
  'request late': (ms) => ({ carriedOut: ms, answer: reset }),
  'request slow': (ms) => ({ carriedOut: 'on arrival', slow: ms, answer: async (value) => value as ApiResponse }),
  'answer lost': () => ({ carriedOut: 'on arrival', answer: reset }),
  'refused 400': () => refused(400, 'BadRequest'),
  'refused 403': () => refused(403, 'Forbidden'),
  'refused 409': () => refused(409, 'Conflict'),
  'refused 422': () => refused(422, 'Invalid'),
  'failed 500': () => refused(500, 'InternalError'),
  'failed 500 after': () => ({ carriedOut: 'on arrival', answer: async () => refusal(500, 'InternalError') }),
  'unavailable 503': () => refused(503, 'ServiceUnavailable'),
  'throttled 429': () => refused(429, 'TooManyRequests', { 'retry-after': '1' }),
};

/** Applies a fault to a request. */
const bend = ({ kind, ms }: Fault): Course<ApiResponse> | undefined => courses[kind]?.(ms);

/** Delivers the chunks of a stream to a process: in order, delayed, none once it is dead. */
function flowing({ scheduler, random, streams }: World, process: Process, answer: ApiResponse): ApiResponse {
  const { stream } = answer;
  if (stream === undefined) return answer;
  return {
    ...answer,
    stream: (sink) => {
      let stopped = false;
      let due = 0;
      const later = (fn: () => void): void => {
        due = Math.max(due, scheduler.now + 1 + random.below(60));
        scheduler.after(due - scheduler.now, () => process.enter(() => stopped || fn()));
      };
      const record = streams.recording();
      const closed = streams.opened({
        say: (line) => later(() => sink.write(line)),
        end: () => later(() => sink.end()),
        hush: (ms) => {
          due = Math.max(due, scheduler.now + ms);
        },
      });
      const end = stream({
        write: (chunk) => {
          record(chunk);
          later(() => sink.write(chunk));
        },
        end: () => later(() => sink.end()),
      });
      const stop = (): void => {
        stopped = true;
        closed();
        end();
      };
      process.onEnd(stop);
      return stop;
    },
  };
}

/** Returns the server's answer, or an older list instead. */
async function answered(
  { streams }: World,
  request: ApiRequest,
  next: (request: ApiRequest) => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const old = request.url.includes('sendInitialEvents') ? streams.staleList() : undefined;
  if (old === undefined) return next(request);
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.of(),
    stream: (sink) => {
      for (const chunk of old) sink.write(chunk);
      sink.end();
      return () => {};
    },
  };
}

const messageIn = (body: string): string => (JSON.parse(body) as { readonly message?: string }).message ?? body;

/** Sends a request of a process on its way to the server and back. */
export async function send(
  world: World,
  process: Process,
  { request, next }: { readonly request: ApiRequest; next(request: ApiRequest): Promise<ApiResponse> },
): Promise<ApiResponse> {
  const text = textOfRequest(request);
  const effect: Effect<ApiResponse> = {
    kind: 'request',
    text,
    write: writeOf(request, text),
    carryOut: () => answered(world, request, next),
    bend,
    describe: ({ status, body }) =>
      status < 400 ? String(status) : `${status} ${messageIn(Buffer.from(body).toString())}`,
  };
  return flowing(world, process, await perform(world, process, effect));
}
