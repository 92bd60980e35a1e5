/** Client that records its own writes. */

import type { Kind } from '../../api/kind.ts';
import type { KubeObject, ObjectKey } from '../../api/object.ts';
import { type Clock, systemClock } from '../../clock.ts';
import type {
  CallOptions,
  Client,
  DeleteOptions,
  ListOptions,
  NewObject,
  Patch,
  WatchOptions,
  WriteOptions,
} from '../client.ts';
import type { OwnWrites } from './own-writes.ts';
import { PatchQueue } from './patch-queue.ts';

/**
 * Wraps a client so that `ownWrites` records each successful write and each object that is read ({@link OwnWrites.read}). Patches of one object are sent
 * one after the other: see {@link PatchQueue}.
 */
export function trackingClient(
  client: Client,
  ownWrites: Pick<OwnWrites, 'written' | 'untilSeen'> & Partial<Pick<OwnWrites, 'read'>>,
  clock: Clock = systemClock,
): Client {
  const patchQueue = new PatchQueue(clock, ownWrites);
  const recordWrite = async <T extends KubeObject>(
    kind: Kind<T>,
    write: Promise<T>,
    options: WriteOptions = {},
  ): Promise<T> => {
    const object = await write;
    const isWholeObject = options.answer !== 'metadata' && options.subresource !== 'scale';
    if (options.dryRun !== true) ownWrites.written(kind, object, isWholeObject ? 'object' : 'metadata');
    return object;
  };
  return {
    get server() {
      return client.server;
    },
    async get<T extends KubeObject>(kind: Kind<T>, key: ObjectKey, options?: CallOptions) {
      const object = await client.get(kind, key, options);
      ownWrites.read?.(kind, object);
      return object;
    },
    list: <T extends KubeObject>(kind: Kind<T>, options?: ListOptions) => client.list(kind, options),
    create: <T extends KubeObject>(kind: Kind<T>, object: NewObject<T>, options?: WriteOptions) =>
      recordWrite(kind, client.create(kind, object, options), options),
    update: <T extends KubeObject>(kind: Kind<T>, object: T, options?: WriteOptions) =>
      recordWrite(kind, client.update(kind, object, options), options),
    patch: <T extends KubeObject>(...[kind, key, patch, options]: [Kind<T>, ObjectKey, Patch, WriteOptions?]) =>
      patchQueue.run(kind, key, () => recordWrite(kind, client.patch(kind, key, patch, options), options)),
    delete: <T extends KubeObject>(kind: Kind<T>, key: ObjectKey, options?: DeleteOptions) =>
      client.delete(kind, key, options),
    watch: <T extends KubeObject>(kind: Kind<T>, options?: WatchOptions) => client.watch(kind, options),
    raw: (...request) => client.raw(...request),
    close: () => client.close(),
  };
}
