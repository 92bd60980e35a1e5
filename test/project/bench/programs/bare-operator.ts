import { createInterface } from 'node:readline';
import { Pool } from 'undici';
import type { OperatorParameters } from '../harness/operators.ts';
import { finalizer, readyStatus } from '../harness/workload.ts';
import { parameters } from './dialogue.ts';
import { createTally } from './tally.ts';

// The floor: the same two writes on undici alone; whole objects are parsed and kept, no retries, no error handling.
const { access, objects, workers } = parameters<OperatorParameters>();
const { server, authorization, ca } = access;
const tally = createTally(objects);
const calls = new Pool(server, { connections: workers, allowH2: false, connect: { ca } });
const streams = new Pool(server, { connections: 1, allowH2: false, connect: { ca }, bodyTimeout: 0 });
const collection = '/apis/se.quencer.io/v1alpha1/workspaces';

interface Item {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly resourceVersion: string;
    readonly generation: number;
    readonly finalizers?: readonly string[];
  };
  readonly status?: { readonly observedGeneration?: number };
}

interface Page {
  readonly items: readonly Item[];
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
}

class Refused extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(`${status} ${text.slice(0, 300)}`);
    this.status = status;
  }
}

const read = async (path: string): Promise<Page> => {
  const { statusCode, body } = await calls.request({ method: 'GET', path, headers: { authorization } });
  const text = await body.text();
  if (statusCode !== 200) throw new Refused(statusCode, text);
  return JSON.parse(text) as Page;
};

async function patch({ namespace, name }: Item['metadata'], change: object, subresource = ''): Promise<void> {
  const { statusCode, body } = await calls.request({
    method: 'PATCH',
    path: `/apis/se.quencer.io/v1alpha1/namespaces/${namespace}/workspaces/${name}${subresource}`,
    headers: { authorization, 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify(change),
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Refused(statusCode, text);
  JSON.parse(text);
}

const isConflict = (error: unknown): boolean => error instanceof Refused && [409, 422].includes(error.status);
const cache = new Map<string, Item>();
const waiting = new Set<string>();
const busy = new Set<string>();

/** Makes one write, decided on what the watch has delivered. */
async function reconcile({ metadata, status }: Item): Promise<void> {
  const { finalizers = [], generation, resourceVersion } = metadata;
  if (!finalizers.includes(finalizer)) {
    const change = { metadata: { resourceVersion, finalizers: [...finalizers, finalizer] } };
    await tally.write(patch(metadata, change), isConflict);
  } else if (status?.observedGeneration !== generation) {
    await tally.write(patch(metadata, { status: readyStatus(generation) }, '/status'), isConflict);
    tally.ready();
  }
}

async function work(key: string): Promise<void> {
  busy.add(key);
  await reconcile(cache.get(key)!);
  busy.delete(key);
  next();
}

function next(): void {
  for (const key of waiting) {
    if (busy.size >= workers) return;
    if (busy.has(key)) continue;
    waiting.delete(key);
    void work(key);
  }
}

function seen(item: Item): void {
  const key = `${item.metadata.namespace}/${item.metadata.name}`;
  cache.set(key, item);
  waiting.add(key);
}

let page = await read(`${collection}?limit=500`);
page.items.forEach(seen);
while (page.metadata.continue) {
  page = await read(`${collection}?limit=500&continue=${encodeURIComponent(page.metadata.continue)}`);
  page.items.forEach(seen);
}
const watching = streams.request({
  method: 'GET',
  path: `${collection}?watch=1&allowWatchBookmarks=true&resourceVersion=${page.metadata.resourceVersion}`,
  headers: { authorization },
});
const follow = async (): Promise<void> => {
  for await (const line of createInterface({ input: (await watching).body })) {
    const { type, object } = JSON.parse(line) as { readonly type: string; readonly object: Item };
    if (type === 'ERROR') throw new Error(`the watch says ${line}`);
    if (type === 'BOOKMARK' || type === 'DELETED') continue;
    seen(object);
    next();
  }
};
const following = follow();
following.catch(() => {});
next();
await tally.untilTold();
await Promise.all([calls.destroy(), streams.destroy()]);
