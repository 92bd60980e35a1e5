import { Pool } from 'undici';
import type { Phase, Rate, RequestParameters } from '../harness/requesting.ts';
import { answer, parameters, say } from './dialogue.ts';

// Minimal load generator: answers are not parsed, so that the server is measured.
const { access, inFlight } = parameters<RequestParameters>();
const { server, authorization, ca } = access;
const first = new Pool(server, { connections: inFlight, allowH2: false, connect: { ca } });
const second = new Pool(server, { connections: 1, pipelining: inFlight, allowH2: true, connect: { ca } });
let pool = first;
const collection = '/api/v1/namespaces/default/configmaps';
const headers = { authorization, 'content-type': 'application/json' };
const text = 'x'.repeat(700);
const newline = 10;
let made = 0;

async function send(method: 'GET' | 'POST', path: string, sent?: object): Promise<string> {
  const { statusCode, body } = await pool.request({ method, path, headers, body: sent ? JSON.stringify(sent) : null });
  const answered = await body.text();
  if (statusCode >= 300) throw new Error(`${method} ${path}: ${statusCode} ${answered}`);
  return answered;
}

const create = (): Promise<string> => {
  const metadata = { name: `bench-${made++}` };
  return send('POST', collection, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { text } });
};

const read = (index: number): Promise<string> => send('GET', `${collection}/bench-${index % made}`);

async function repeat(count: number, once: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await once(next++);
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
}

/** Watches from now on; `all` resolves when that many events have arrived. */
async function watch(events: number): Promise<{ readonly all: Promise<void> }> {
  const { metadata } = JSON.parse(await send('GET', `${collection}?limit=1`)) as {
    readonly metadata: { readonly resourceVersion: string };
  };
  const stream = new Pool(server, { connections: 1, allowH2: false, connect: { ca }, bodyTimeout: 0 });
  const path = `${collection}?watch=1&resourceVersion=${metadata.resourceVersion}`;
  const { body } = await stream.request({ method: 'GET', path, headers });
  const count = async (): Promise<void> => {
    let left = events;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) left--;
      if (left <= 0) break;
    }
    await stream.destroy();
  };
  return { all: count() };
}

const phases: Readonly<Record<Phase['kind'], (phase: Phase) => Promise<number>>> = {
  async create({ count }) {
    await repeat(count, create);
    return count;
  },
  async read({ count }) {
    await repeat(count, read);
    return count;
  },
  async watch({ count, watchers = 1 }) {
    const watches = await Promise.all(Array.from({ length: watchers }, () => watch(count)));
    await repeat(count, create);
    await Promise.all(watches.map(({ all }) => all));
    return count * watchers;
  },
};

say('ready');
await answer(async (question): Promise<Rate> => {
  const phase = question as Phase;
  const { user, system } = process.cpuUsage();
  const started = performance.now();
  pool = phase.http2 ? second : first;
  const done = await phases[phase.kind](phase);
  const used = process.cpuUsage({ user, system });
  return { done, wallMs: performance.now() - started, clientCpuMs: (used.user + used.system) / 1000 };
});
await Promise.all([first.destroy(), second.destroy()]);
