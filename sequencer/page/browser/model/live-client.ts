/** Client of the page's live stream, with reconnection. */

import type { PageAnswer } from '../../page-model.ts';
import type { PageChange } from './page-state.ts';
import { SseParser } from './sse-parser.ts';

/** Options of {@link readLive}. */
export interface LiveOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly token: string;
  /** Key of the shown workspace. */
  readonly workspace: string | undefined;
  readonly onChange: (change: PageChange) => void;
  /** Resolves after ms, or when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}

const headersOf = (token: string) => ({ authorization: `Bearer ${token}` });

const names: ReadonlySet<string> = new Set(['session', 'rows', 'workspace', 'process', 'objects']);

/** Initial and maximum delay of a reconnection in ms. */
const pauses = { first: 500, most: 10_000 };

/** Reads one stream to its end. @returns false if the token is refused */
async function readOnce({ fetch, token, workspace, onChange, signal }: LiveOptions): Promise<boolean> {
  const query = workspace === undefined ? '' : `?workspace=${encodeURIComponent(workspace)}`;
  const answer = await fetch(`/api/live${query}`, { headers: headersOf(token), signal, cache: 'no-store' });
  if (answer.status === 401) return false;
  if (!answer.ok || answer.body === null) throw new Error((await answer.text()).trim() || `HTTP ${answer.status}`);
  const parser = new SseParser();
  const decoder = new TextDecoder();
  const reader = answer.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return true;
    for (const { event, data } of parser.feed(decoder.decode(value, { stream: true })))
      if (names.has(event)) onChange({ type: event, value: JSON.parse(data) } as PageChange);
  }
}

/** Reads until the signal aborts or the token is refused. A stream that the server ends is reopened at once. */
export async function readLive(options: LiveOptions): Promise<void> {
  const { onChange, sleep, signal } = options;
  for (let pause = pauses.first; !signal.aborted; ) {
    try {
      if (!(await readOnce(options))) {
        if (!signal.aborted) onChange({ type: 'connection', value: 'signed-out', problem: 'This token is not valid.' });
        return;
      }
      pause = pauses.first;
    } catch (error) {
      if (signal.aborted) return;
      onChange({ type: 'connection', value: 'lost', problem: error instanceof Error ? error.message : String(error) });
    }
    await sleep(pause, signal);
    pause = Math.min(pauses.most, pause * 2);
  }
}

/** Request for an action. */
export interface ActionRequest {
  readonly name: string;
  readonly workspace: string | undefined;
  readonly token: string;
}

/** Requests an action from the server. @throws Error with the server's message */
export async function postAction(
  fetch: typeof globalThis.fetch,
  { name, workspace, token }: ActionRequest,
): Promise<PageAnswer> {
  const query = workspace === undefined ? '' : `?workspace=${encodeURIComponent(workspace)}`;
  const answer = await fetch(`/api/${name}${query}`, { method: 'POST', headers: headersOf(token) });
  if (!answer.ok) throw new Error((await answer.text()).trim() || `HTTP ${answer.status}`);
  return (await answer.json()) as PageAnswer;
}
