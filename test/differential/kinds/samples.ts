import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

/** A good object of a kind without its metadata; `full` has most of what people write, where it is more. */
export interface Sample {
  readonly apiVersion: string;
  readonly kind: string;
  readonly minimal: object;
  readonly full?: object;
}

/** Good objects of the built-in kinds, from `samples.yaml`. */
export const readSamples = (): readonly Sample[] =>
  parseAllDocuments(readFileSync(join(import.meta.dirname, 'samples.yaml'), 'utf8')).map(
    (document) => document.toJS() as Sample,
  );
