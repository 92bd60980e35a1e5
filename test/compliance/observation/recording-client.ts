/** Client of one process of the sequencer, whose writes are recorded as effects. */

import type { Client, Kind, KubeObject, Patch, WatchEvent } from '../../../sdk/index.ts';
import type { Effect, SequencerProcess } from './effect.ts';
import type { Effects } from './effects.ts';
import { invocation } from './invocations.ts';

const phases: Readonly<Record<string, string>> = {
  intent: 'the intent',
  done: 'the outcome',
  failed: 'the failure',
  unknown: 'the question to a person',
  gone: 'the outcome "gone"',
};

/** Names a patch of a workspace in the terms of an integration's author. */
function changeOf(patch: Patch, status: boolean): string {
  const changes = patch.type === 'json' ? patch.operations.filter(({ op }) => op !== 'test') : patch.value;
  const body = JSON.stringify(changes);
  const phase = /"phase":"(intent|done|failed|unknown|gone)"/.exec(body)?.[1];
  if (status) return phase === undefined ? 'the status' : phases[phase]!;
  const isClaim = body.includes('/metadata/finalizers') && !body.includes('"remove"');
  if (body.includes('external.se.quencer.io') && !isClaim)
    return body.includes('\\"open\\"') ? 'the mirror of the intent' : 'the mirror of ids';
  return isClaim ? 'the claim' : 'the release';
}

const isWorkspace = ({ kind }: Kind): boolean => kind === 'Workspace';

/** Receives each written object, to search it for secrets. */
export type WriteListener = (kind: string, written: unknown) => void;

/**
 * Creates a client whose writes are effects of one process, and which never responds once that has crashed. An integration's writes of other kinds than
 * workspaces count as calls if the cluster is the third party.
 */
export function recordingClient(
  client: Client,
  {
    effects,
    sequencer,
    otherWrites,
    onWrite,
  }: { effects: Effects; sequencer: SequencerProcess; otherWrites: Effect['kind']; onWrite: WriteListener },
): Client {
  const read = <T>(carryOut: () => Promise<T>): Promise<T> => effects.read(sequencer, carryOut);
  const write = <T>(
    kind: Kind,
    [verb, name, written]: readonly [string, string, unknown],
    carryOut: () => Promise<T>,
  ) => {
    onWrite(kind.kind, written);
    const effectName = isWorkspace(kind) ? verb : `${verb} ${kind.kind} ${name}`;
    const isOwn = isWorkspace(kind) || invocation.getStore() === undefined;
    return effects.perform(sequencer, { kind: isOwn ? 'write' : otherWrites, name: effectName, args: [], carryOut });
  };
  return {
    server: client.server,
    get: (...args) => read(() => client.get(...args)),
    list: (...args) => read(() => client.list(...args)),
    raw: (...args) => read(() => client.raw(...args)),
    create: (kind, object, options) =>
      write(kind, ['create', object.metadata.name ?? '', object], () => client.create(kind, object, options)),
    update: (kind, object, options) =>
      write(kind, ['update', object.metadata.name, object], () => client.update(kind, object, options)),
    patch: (...[kind, key, patch, options]) =>
      write(
        kind,
        [isWorkspace(kind) ? changeOf(patch, options?.subresource === 'status') : 'patch', key.name, patch],
        () => client.patch(kind, key, patch, options),
      ),
    delete: (kind, key, options) =>
      write(kind, ['delete', key.name, undefined], () => client.delete(kind, key, options)),
    watch: (kind, options) => watched(client.watch(kind, options), sequencer),
    close: async () => undefined,
  };
}

async function* watched<T extends KubeObject>(events: AsyncIterable<WatchEvent<T>>, sequencer: SequencerProcess) {
  for await (const event of events) {
    if (sequencer.dead) return;
    yield event;
  }
}
