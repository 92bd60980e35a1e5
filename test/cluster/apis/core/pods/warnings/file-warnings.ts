/** Warnings for volume files with conflicting paths. */

import type { Fields } from '../../../../apimachinery/object.ts';
import { fieldsOf, listOf } from '../../../../apimachinery/validation/errors.ts';

/** File of a volume, with its source in projected volumes. */
interface File {
  readonly path: string;
  readonly source: string;
}

/** File with its place among the others of its volume. */
interface Placed {
  readonly file: File;
  readonly place: number;
}

const shown = ({ path, source }: File): string => (source === '' ? `"${path}"` : `"${path}" (${source})`);

/** Folder of the paths of a volume, with those of its parts that have any. */
class Folder {
  readonly #folders = new Map<string, Folder>();
  /** Files at this path itself. */
  readonly files: Placed[] = [];
  /** Files at this path or below it. */
  readonly within: Placed[] = [];

  /** Returns the folders on the way to a path, its own last. */
  wayTo(path: string): readonly Folder[] {
    const way: Folder[] = [];
    let folder: Folder = this;
    for (const name of path.split('/')) {
      const next = folder.#folders.get(name) ?? new Folder();
      folder.#folders.set(name, next);
      way.push(next);
      folder = next;
    }
    return way;
  }
}

function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** Yields the overlaps of each file with those before it, in time linear in the paths and in what is read of the answer. */
function* overlaps(files: readonly File[]): Generator<string> {
  const root = new Folder();
  const counts = new Map<string, number>();
  for (const { path, source } of files) {
    const file = { path: withoutSlashes(path), source };
    if (file.path === '') continue;
    const way = root.wayTo(file.path);
    const last = way.at(-1)!;
    const count = way.reduce((sum, folder) => sum + folder.files.length, last.within.length - last.files.length);
    const key = JSON.stringify([file.path, source]);
    if (count > (counts.get(key) ?? 0)) {
      const others = way.slice(0, -1).flatMap((folder) => folder.files);
      const inOrder = others.concat(last.within).sort((one, other) => one.place - other.place);
      for (const { file: other } of inOrder) yield `${shown(file)} with ${shown(other)}`;
    }
    if (!counts.has(key)) {
      const placed = { file, place: counts.size };
      last.files.push(placed);
      for (const folder of way) folder.within.push(placed);
    }
    counts.set(key, count);
  }
}

const filesIn = (source: unknown, name: string): readonly File[] =>
  listOf(fieldsOf(source).items).map(({ path = '' }) => ({ path: String(path), source: name }));

/** Returns the files of one source of a projected volume. */
function filesOf(source: Fields): readonly File[] {
  const { configMap, secret, downwardAPI, serviceAccountToken: token } = source;
  if (fieldsOf(configMap).items !== undefined)
    return filesIn(configMap, `ConfigMap "${fieldsOf(configMap).name ?? ''}"`);
  if (fieldsOf(secret).items !== undefined) return filesIn(secret, `Secret "${fieldsOf(secret).name ?? ''}"`);
  if (fieldsOf(downwardAPI).items !== undefined) return filesIn(downwardAPI, 'DownwardAPI');
  if (token === undefined) return [];
  return [{ path: String(fieldsOf(token).path ?? ''), source: 'ServiceAccountToken' }];
}

/** Sources of files and their names in messages. */
const plain: readonly (readonly [string, (source: Fields) => string])[] = [
  ['configMap', ({ name = '' }) => `ConfigMap "${name}"`],
  ['secret', ({ secretName = '' }) => `Secret "${secretName}"`],
  ['downwardAPI', () => 'DownwardAPI'],
];

function* overlapWarnings(about: string, files: readonly File[]): Generator<string> {
  for (const overlap of overlaps(files)) yield `${about}: overlapping paths: ${overlap}`;
}

function* projectedWarnings(name: string, projected: unknown): Generator<string> {
  const sources = listOf(fieldsOf(projected).sources);
  for (const source of sources) {
    if (Object.keys(source).length === 0) yield `${name} (Projected) has no sources provided`;
  }
  yield* overlapWarnings(`${name} (Projected)`, sources.flatMap(filesOf));
}

/** Returns the warnings for volume files with conflicting paths. */
export function* fileWarnings(volumes: readonly Fields[]): Generator<string> {
  for (const volume of volumes) {
    const name = `volume "${volume.name ?? ''}"`;
    for (const [kind, titleOf] of plain) {
      const source = volume[kind];
      if (source !== undefined) yield* overlapWarnings(`${name} (${titleOf(fieldsOf(source))})`, filesIn(source, ''));
    }
    if (volume.projected !== undefined) yield* projectedWarnings(name, volume.projected);
  }
}
