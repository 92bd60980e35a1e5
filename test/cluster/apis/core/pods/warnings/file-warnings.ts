/** Warnings for volume files with conflicting paths. */

import type { Fields } from '../../../../apimachinery/object.ts';
import { fieldsOf, listOf } from '../../../../apimachinery/validation/errors.ts';

/** File of a volume, with its source in projected volumes. */
interface File {
  readonly path: string;
  readonly source: string;
}

const shown = ({ path, source }: File): string => (source === '' ? `"${path}"` : `"${path}" (${source})`);

const isWithin = (path: string, folder: string): boolean => `${path}/`.startsWith(`${folder}/`);

function* overlaps(files: readonly File[]): Generator<string> {
  const known: File[] = [];
  for (const { path, source } of files) {
    const file = { path: path.replace(/\/+$/, ''), source };
    for (const other of known) {
      if (file.path === '' || other.path === '') continue;
      if (isWithin(other.path, file.path) || isWithin(file.path, other.path)) {
        yield `${shown(file)} with ${shown(other)}`;
      }
    }
    known.push(file);
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
