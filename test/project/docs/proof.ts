/** Reads which tests prove which fault, defect or guarantee of docs/guard.md and the pages below docs/guard. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const upTo = (letter: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${letter}${index + 1}`);

/** Ids of every fault, every defect of the original guard and every guarantee that must have a test. */
export const promised: readonly string[] = [...upTo('G', 10), ...upTo('F', 53), ...upTo('D', 15)];

/** A test with a title that begins with the ids it proves: `F11, F14: told to stop ...`. */
export interface Proof {
  readonly ids: readonly string[];
  /** Title; interpolated values are shown as `…`. */
  readonly title: string;
  readonly path: string;
}

const literalOf = (id: RegExp): RegExp =>
  new RegExp(`(['"\`])((?:${id.source}, )*${id.source}: (?:(?!\\1)[^\\\\\\n]|\\\\.)+)\\1`, 'g');

const titleOf = (text: string): string => text.replaceAll(/\$\{[^}]*\}/g, '…').replaceAll(/\\(.)/g, '$1');

/** Id of a fault, a defect or a guarantee of the guard. */
const ofTheGuard = /[FDG]\d+/;

/** Returns the tests of one source; `id` matches the ids. */
export const proofsIn = (path: string, source: string, id: RegExp = ofTheGuard): readonly Proof[] =>
  [...source.matchAll(literalOf(id))].map(([, , text = '']) => ({
    ids: text.slice(0, text.indexOf(':')).split(', '),
    title: titleOf(text),
    path,
  }));

/** The test file of this reader: its titles are examples. */
const examples = 'docs/proof.test.ts';

/** Returns all tests below a folder that are named by ids. */
export const proofsBelow = (root: string, id: RegExp = ofTheGuard): readonly Proof[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts') && !path.endsWith(examples))
    .sort()
    .flatMap((path) => proofsIn(path, readFileSync(join(root, path), 'utf8'), id));

/** Row of a table in docs/guard.md or docs/guard/faults.md. */
export interface Row {
  readonly id: string;
  readonly what: string;
  readonly title: string;
}

/**
 * Returns rows such as `| F1
 * what goes wrong
 * title of a test |`.
 */
export const rowsOf = (page: string): readonly Row[] =>
  [...page.matchAll(/^\| ([FDG]\d+) \| (.+?) \| (.+?) \|$/gm)].map(([, id = '', what = '', title = '']) => ({
    id,
    what,
    title,
  }));
