/** Snapshots of a cluster, in memory and as JSON. */

import type { KubeObject } from '../../sdk/api/object.ts';
import { type ApiObject, freeze } from './apimachinery/object.ts';
import { isSeed, type Seed } from './apimachinery/seeded-random.ts';
import type { SavedPodStates } from './controllers/kubelet/pod-state.ts';
import type { Applied } from './objects/admin-client.ts';
import type { Collection } from './storage/collection.ts';
import { SortedKeys } from './storage/sorted-keys.ts';
import type { Change, StoreState } from './storage/store.ts';

/** State of a cluster at one moment, in memory; shares its objects with the cluster. */
export interface SnapshotState {
  readonly store: StoreState;
  readonly applied: Applied;
  /** State of the seeded random source; undefined when the caller passed a random source. */
  readonly random: Seed | undefined;
  /** Private key of service account tokens, in PEM; undefined when none was created yet. */
  readonly signingKey: string | undefined;
  /** Memory of the emulated nodes about their pods; undefined in older snapshots. */
  readonly nodes: SavedPodStates | undefined;
}

/**
 * Cluster at one moment: objects with their versions, history, state of the random source, and key of service account
 * tokens.
 * Immutable. `JSON.stringify` writes the form that {@link readSnapshot} reads. The file holds secrets.
 */
export interface Snapshot {
  /** Revision of the last write. */
  readonly revision: number;
  /** Time of the snapshot by the cluster's clock, in ms since the epoch. */
  readonly takenAt: number;
  toJSON(): SnapshotFile;
}

/** Snapshot that still holds its state in memory. */
export interface TakenSnapshot extends Snapshot {
  readonly state: SnapshotState;
}

/** Change as revision, type, collection, key, and the indices in `objects` of its new and former state (-1: none). */
type ChangeRow = readonly [number, Change['type'], string, string, number, number];

/** Snapshot as JSON; each object is stored once and referred to by index. */
export interface SnapshotFile {
  readonly kind: 'ClusterSnapshot';
  readonly formatVersion: 1;
  readonly takenAt: number;
  readonly revision: number;
  readonly oldest: number;
  /** State of the random source; a number in files of earlier versions. */
  readonly random?: Seed;
  readonly signingKey?: string;
  readonly nodes?: SavedPodStates;
  readonly objects: readonly ApiObject[];
  /** Keys of each collection, in order, each with its index in `objects`. */
  readonly collections: Readonly<Record<string, readonly (readonly [string, number])[]>>;
  readonly history: readonly ChangeRow[];
  readonly applied: readonly (readonly [string, KubeObject])[];
}

function fileOf({ store, applied, random, signingKey, nodes }: SnapshotState, takenAt: number): SnapshotFile {
  const places = new Map<ApiObject, number>();
  const placeOf = (object: ApiObject | undefined): number => {
    if (object === undefined) return -1;
    const known = places.get(object);
    if (known !== undefined) return known;
    places.set(object, places.size);
    return places.size - 1;
  };
  const rows = ({ keys, objects }: Collection) => keys.all().map((key) => [key, placeOf(objects.get(key))] as const);
  const initial = [...(store.initial ?? [])].map(([name, made]) => [name, made()] as const);
  const collections = Object.fromEntries([...store.collections, ...initial].map(([name, one]) => [name, rows(one)]));
  const history = store.log.map(
    ({ revision, type, collection, key, object, previous }): ChangeRow => [
      revision,
      type,
      collection,
      key,
      placeOf(object),
      placeOf(previous),
    ],
  );
  return {
    kind: 'ClusterSnapshot',
    formatVersion: 1,
    takenAt,
    revision: store.revision,
    oldest: store.oldest,
    ...(random !== undefined && { random }),
    ...(signingKey !== undefined && { signingKey }),
    ...(nodes !== undefined && { nodes }),
    objects: [...places.keys()],
    collections,
    history,
    applied: [...applied],
  };
}

/** Wraps a state as a snapshot. */
export const snapshotOf = (state: SnapshotState, takenAt: number): TakenSnapshot => ({
  revision: state.store.revision,
  takenAt,
  state,
  toJSON: () => fileOf(state, takenAt),
});

const notASnapshot = (what: string): TypeError => new TypeError(`this is not a snapshot of a cluster: ${what}`);

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** Throws a TypeError that names what is missing or wrong. */
function check(file: SnapshotFile): void {
  if (!isObject(file) || file.kind !== 'ClusterSnapshot') throw notASnapshot('kind is not ClusterSnapshot');
  if (file.formatVersion !== 1) throw notASnapshot(`formatVersion is ${file.formatVersion}, and only 1 is known`);
  const lists = ['objects', 'history', 'applied'] as const;
  const wrong = lists.find((name) => !Array.isArray(file[name]));
  if (wrong !== undefined) throw notASnapshot(`${wrong} is not a list`);
  if (!isObject(file.collections)) throw notASnapshot('collections are missing');
  if (!Number.isSafeInteger(file.revision) || !Number.isSafeInteger(file.oldest))
    throw notASnapshot('revision is not a number');
  if (file.random !== undefined && !isSeed(file.random)) throw notASnapshot('random is not a state of a random source');
}

/** Reads the parsed JSON of a snapshot. Throws a TypeError for anything else. */
export function readSnapshot(file: SnapshotFile): Snapshot {
  check(file);
  const objects = file.objects.map((object) => freeze(object));
  const at = (place: number): ApiObject => {
    const object = objects[place];
    if (object === undefined) throw notASnapshot(`there is no object ${place}`);
    return object;
  };
  const collections = Object.entries(file.collections).map(([name, rows]): [string, Collection] => [
    name,
    { keys: new SortedKeys(rows.map(([key]) => key)), objects: new Map(rows.map(([key, place]) => [key, at(place)])) },
  ]);
  const log = file.history.map(
    ([revision, type, collection, key, object, previous]): Change => ({
      revision,
      type,
      collection,
      key,
      object: at(object),
      previous: previous === -1 ? undefined : at(previous),
    }),
  );
  const { revision, oldest, random, signingKey, nodes } = file;
  const store: StoreState = { revision, oldest, collections: new Map(collections), log };
  return snapshotOf({ store, applied: new Map(file.applied), random, signingKey, nodes }, file.takenAt);
}

/** Returns the state of a snapshot, in memory or as JSON. Throws a TypeError for anything else. */
export const stateOf = (snapshot: Snapshot | SnapshotFile): SnapshotState =>
  'state' in snapshot
    ? (snapshot as TakenSnapshot).state
    : (readSnapshot(snapshot as SnapshotFile) as TakenSnapshot).state;

/** Drops the history of a state and raises its revision above `seen`, as `etcdutl snapshot restore --bump-revision --mark-compacted` does. */
export function withRevisionBumped(state: SnapshotState, seen: number): SnapshotState {
  const revision = Math.max(state.store.revision, seen) + 1;
  return { ...state, store: { ...state.store, revision, oldest: revision, log: [] } };
}
