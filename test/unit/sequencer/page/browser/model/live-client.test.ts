import test from 'ava';
import { postAction, readLive } from '../../../../../../sequencer/page/browser/model/live-client.ts';
import type { PageChange } from '../../../../../../sequencer/page/browser/model/page-state.ts';

const stream = (text: string) => new Response(text, { headers: { 'content-type': 'text/event-stream' } });
const rows = 'event: rows\ndata: {"reset":true,"more":false,"changed":[],"gone":[]}\n\n';

/** Reads with these answers, one after the other, until they are used up. */
async function read(...answers: readonly (Response | Error)[]) {
  const changes: PageChange[] = [];
  const asked: [string, string | null][] = [];
  const pauses: number[] = [];
  const ended = new AbortController();
  const left = [...answers];
  const fetch = async (url: unknown, init?: RequestInit) => {
    asked.push([String(url), new Headers(init?.headers).get('authorization')]);
    const next = left.shift()!;
    if (next instanceof Error) throw next;
    return next;
  };
  await readLive({
    fetch: fetch as typeof globalThis.fetch,
    token: 'secret',
    workspace: 'a/b',
    onChange: (change) => changes.push(change),
    sleep: async (ms) => {
      pauses.push(ms);
      if (left.length === 0) ended.abort();
    },
    signal: ended.signal,
  });
  return { changes, asked, pauses };
}

test('messages become changes; unknown ones are left out', async (t) => {
  const { changes, asked } = await read(stream(`${rows}event: other\ndata: {}\n\n: still here\n\n`));
  t.deepEqual(
    changes.map(({ type }) => type),
    ['rows'],
  );
  t.deepEqual(asked, [['/api/live?workspace=a%2Fb', 'Bearer secret']]);
});

test('a server that does not answer is asked again, more and more rarely', async (t) => {
  const { changes, pauses } = await read(
    new TypeError('no'),
    new Response('later', { status: 503 }),
    stream(rows),
    new Error('x'),
  );
  t.deepEqual(pauses, [500, 1000, 500, 1000]);
  t.deepEqual(
    changes.map((change) => (change.type === 'connection' ? change.problem : change.type)),
    ['no', 'later', 'rows', 'x'],
  );
});

test('a token that is refused ends it', async (t) => {
  const { changes, pauses } = await read(new Response('', { status: 401 }));
  t.like(changes[0], { type: 'connection', value: 'signed-out' });
  t.deepEqual(pauses, []);
});

test('an action answers, or fails with the words of the server', async (t) => {
  const answering = (answer: Response) => (async () => answer) as typeof globalThis.fetch;
  const request = { name: 'plan', workspace: undefined, token: 'secret' };
  t.deepEqual(await postAction(answering(Response.json({ said: 'done' })), request), { said: 'done' });
  await t.throwsAsync(postAction(answering(new Response('not now\n', { status: 503 })), request), {
    message: 'not now',
  });
});
