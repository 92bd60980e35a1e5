import test from 'ava';
import { type StreamInput, streamLive } from '../../../../sequencer/page/live-stream.ts';
import type { Viewer } from '../../../../sequencer/page/page-access.ts';
import type { LiveMessages } from '../../../../sequencer/page/page-model.ts';
import { WalkHistory } from '../../../../sequencer/page/walk-history.ts';
import { createManualClock } from '../../../cluster/apimachinery/clock/manual-clock.ts';
import { aWorkspace } from '../../a-workspace.ts';

const process = { synced: true } as unknown as LiveMessages['process'];
const everything: Viewer = { name: 'all', mayList: async () => true, mayListEvents: async () => true };

/** A stream over rows of this test, and its reader, which takes all by default. */
function aStream(input: Partial<StreamInput> = {}) {
  const clock = createManualClock();
  const rows = new Map<string, string>();
  const listeners = new Set<(key: string, inList: boolean) => void>();
  const messages: { type: string; value: { changed?: { key: string }[]; gone?: string[]; reset?: boolean } }[] = [];
  const ended = new AbortController();
  const reader = { takes: true, drained: Promise.withResolvers<void>() };
  const stream: StreamInput = {
    source: {
      keys: () => [...rows.keys()],
      rowText: (key) => rows.get(key),
      workspace: (key) => (rows.has(key) ? aWorkspace({ name: key.split('/')[1] ?? '' }) : undefined),
      history: new WalkHistory(),
      listen(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      run: async () => undefined,
      firstResult: async () => undefined,
    },
    viewer: everything,
    session: { viewer: 'all', mode: 'dev', controls: [], plans: false, now: 0 },
    selected: undefined,
    viewWorkspace: ({ metadata }) => ({ uid: metadata.uid }) as LiveMessages['workspace'],
    follow: () => ({ latest: () => [], [Symbol.dispose]: () => undefined }),
    process: () => process,
    clock,
    ...input,
  };
  const sink = {
    write(text: string) {
      const [, type = '', data = ''] = /^event: (\w+)\ndata: (.*)\n\n$/.exec(text) ?? [];
      messages.push({ type, value: JSON.parse(data) });
      return reader.takes;
    },
    drained: () => reader.drained.promise,
  };
  return {
    clock,
    messages,
    reader,
    ended,
    listeners,
    set(key: string, phase: string | undefined) {
      if (phase === undefined) rows.delete(key);
      else rows.set(key, JSON.stringify({ key, phase }));
      for (const listener of listeners) listener(key, true);
    },
    begin: () => streamLive(stream, sink, ended.signal),
    rowMessages: () => messages.filter(({ type }) => type === 'rows').map(({ value }) => value),
  };
}

test('the first rows come in parts, later ones as they change, several changes as one', async (t) => {
  const stream = aStream();
  for (let number = 0; number < 450; number += 1) stream.set(`a/${number}`, 'Healthy');
  const over = stream.begin();
  await stream.clock.advance(0);
  t.deepEqual(
    stream.rowMessages().map(({ changed, reset }) => [changed?.length, reset]),
    [
      [200, true],
      [200, false],
      [50, false],
    ],
  );
  t.deepEqual([...new Set(stream.messages.map(({ type }) => type))], ['session', 'rows', 'process']);
  stream.messages.length = 0;
  stream.set('a/1', 'Error');
  stream.set('a/1', 'Deploying');
  stream.set('a/2', undefined);
  await stream.clock.advance(100);
  t.deepEqual(stream.rowMessages(), [
    { reset: false, more: false, changed: [{ key: 'a/1', phase: 'Deploying' }], gone: ['a/2'] } as object,
  ] as never);
  stream.ended.abort();
  await over;
  t.is(stream.listeners.size, 0);
});

test('a slow reader gets the latest state, not a queue of what was', async (t) => {
  const stream = aStream();
  stream.set('a/1', 'Deploying');
  const over = stream.begin();
  await stream.clock.advance(0);
  stream.messages.length = 0;
  stream.reader.takes = false;
  for (let number = 0; number < 1000; number += 1) {
    stream.set('a/1', `phase ${number}`);
    await stream.clock.advance(number < 3 ? 100 : 0);
  }
  t.is(stream.messages.length, 1);
  stream.reader.takes = true;
  stream.reader.drained.resolve();
  await stream.clock.advance(100);
  t.deepEqual(stream.rowMessages().at(-1)?.changed as unknown, [{ key: 'a/1', phase: 'phase 999' }]);
  t.true(stream.messages.length < 6);
  stream.ended.abort();
  await over;
});

test('a reader that takes nothing for half a minute is given up', async (t) => {
  const stream = aStream();
  stream.reader.takes = false;
  const over = stream.begin();
  over.catch(() => undefined);
  await stream.clock.advance(30_000);
  await t.throwsAsync(over, { message: /reads nothing/ });
  t.is(stream.listeners.size, 0);
});

test('a viewer gets the rows of namespaces that may be listed, and no state of the process without all', async (t) => {
  const allowed = new Set(['a']);
  const viewer: Viewer = {
    name: 'some',
    mayList: async (namespace) => namespace !== undefined && allowed.has(namespace),
    mayListEvents: async () => false,
  };
  const stream = aStream({ viewer, selected: 'b/1' });
  stream.set('a/1', 'Healthy');
  stream.set('b/1', 'Healthy');
  const over = stream.begin();
  await stream.clock.advance(0);
  t.deepEqual(
    stream.messages.map(({ type, value }) => [type, value?.changed?.map(({ key }) => key)]),
    [
      ['session', undefined],
      ['workspace', undefined],
      ['rows', ['a/1']],
    ],
  );
  t.is(stream.messages[1]?.value, null as never);
  stream.messages.length = 0;
  stream.set('b/1', 'Error');
  stream.set('b/1', undefined);
  await stream.clock.advance(100);
  t.deepEqual(stream.messages, [], 'not even that something has changed or gone');
  allowed.delete('a');
  stream.set('a/1', 'Error');
  await stream.clock.advance(100);
  t.deepEqual(stream.rowMessages()[0]?.gone, ['a/1'], 'a right that was taken takes the row');
  stream.ended.abort();
  await over;
});

test('a stream without changes shows that it lives, and ends so that rights are asked for again', async (t) => {
  const stream = aStream();
  const over = stream.begin();
  await stream.clock.advance(0);
  stream.messages.length = 0;
  await stream.clock.advance(15_100);
  t.deepEqual(
    stream.messages.map(({ type }) => type),
    ['process'],
  );
  await stream.clock.advance(300_000);
  await over;
  t.is(stream.clock.pending, 0);
});

test('the workspace that is looked at is sent again when it differs', async (t) => {
  let version = 1;
  const stream = aStream({
    selected: 'a/1',
    viewWorkspace: () => ({ uid: `${version}` }) as LiveMessages['workspace'],
  });
  stream.set('a/1', 'Healthy');
  const over = stream.begin();
  await stream.clock.advance(0);
  stream.set('a/1', 'Healthy');
  await stream.clock.advance(100);
  version = 2;
  stream.set('a/1', 'Healthy');
  await stream.clock.advance(100);
  stream.set('a/1', undefined);
  await stream.clock.advance(100);
  const views = stream.messages.filter(({ type }) => type === 'workspace').map(({ value }) => value);
  t.deepEqual(views as unknown, [{ uid: '1' }, { uid: '2' }, null]);
  stream.ended.abort();
  await over;
});

test('a list whose last part the viewer may not see is complete nevertheless', async (t) => {
  const viewer: Viewer = {
    name: 'some',
    mayList: async (namespace) => namespace === 'a',
    mayListEvents: async () => false,
  };
  const stream = aStream({ viewer });
  stream.set('a/1', 'Healthy');
  for (let number = 0; number < 300; number += 1) stream.set(`b/${number}`, 'Healthy');
  const over = stream.begin();
  await stream.clock.advance(0);
  t.deepEqual(
    stream.rowMessages().map((message) => (message as { more?: boolean }).more),
    [true, false],
  );
  stream.ended.abort();
  await over;
});
