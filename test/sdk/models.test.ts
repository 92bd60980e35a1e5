import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { proofsBelow } from '../simulation/proof.ts';

/** A model, and what was promised about it: what it does, and what was wrong in the original and cannot come back. */
interface Promised {
  /** What the numbers of what it does begin with. */
  readonly row: string;
  readonly rows: number;
  /** What the numbers of weaknesses begin with. */
  readonly weakness: string;
  readonly weaknesses: number;
  /** Below docs/models. */
  readonly page: string;
}

const models: readonly Promised[] = [
  { row: 'OKT-', rows: 15, weakness: 'OKT-c', weaknesses: 11, page: 'okt.md' },
  { row: 'OK-', rows: 15, weakness: 'OK-c', weaknesses: 11, page: 'operatorkit.md' },
  { row: 'SDKX-', rows: 15, weakness: 'SDKX-c', weaknesses: 11, page: 'operator-sdk-extra.md' },
  { row: 'GRAF-T', rows: 23, weakness: 'GRAF-c', weaknesses: 20, page: 'grafana-app-sdk.md' },
];

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);
const rowsOf = ({ row, rows }: Promised) => numbers(rows).map((number) => `${row}${number}`);
const weaknessesOf = ({ weakness, weaknesses }: Promised) =>
  numbers(weaknesses).map((number) => `${weakness}${number}`);

const proofs = proofsBelow(import.meta.dirname, /(?:OKT|OK|SDKX|GRAF)-[Tc]?\d+/);
const proved = new Set(proofs.flatMap(({ ids }) => ids));

/** The weaknesses that a page says to be impossible, such as `(c4)` or `(c5, c20)`. */
const ruledOutBy = ({ page, weakness }: Promised): ReadonlySet<string> => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/models', page), 'utf8');
  const marks = [...text.matchAll(/\((c\d+(?:, c\d+)*)\)/g)].flatMap(([, list = '']) => list.split(', '));
  return new Set(marks.map((mark) => weakness + mark.slice(1)));
};

for (const model of models) {
  test(`each of ${model.row}1 to ${model.row}${model.rows} is what a test is called by`, (t) => {
    t.deepEqual(
      rowsOf(model).filter((id) => !proved.has(id)),
      [],
    );
  });

  test(`each of ${model.weakness}1 to ${model.weakness}${model.weaknesses} has a test, or a line in docs/models/${model.page}`, (t) => {
    const ruledOut = ruledOutBy(model);
    const open = weaknessesOf(model).filter((id) => !proved.has(id) && !ruledOut.has(id));
    t.deepEqual(open, []);
    t.deepEqual(
      [...ruledOut].filter((id) => !weaknessesOf(model).includes(id)),
      [],
      'nothing else is marked',
    );
  });
}

test('no test is called by a number that no model has', (t) => {
  const known = new Set(models.flatMap((model) => [...rowsOf(model), ...weaknessesOf(model)]));
  t.deepEqual(
    proofs.filter(({ ids }) => !ids.every((id) => known.has(id))),
    [],
  );
});
