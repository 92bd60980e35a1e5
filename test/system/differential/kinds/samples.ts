/** Reads valid objects of the built-in kinds. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

/** A valid object of a kind without its name; `full` has most fields that people use, if that is more. At least one of them is present. */
export interface Sample {
  readonly apiVersion: string;
  readonly kind: string;
  /** Topic that distinguishes samples of one kind. */
  readonly topic?: string;
  readonly minimal?: object;
  readonly full?: object;
}

/** Files of the samples, in order. */
const files = ['samples.yaml', 'pod-samples.yaml'];

const samplesOf = (file: string): readonly Sample[] =>
  parseAllDocuments(readFileSync(join(import.meta.dirname, file), 'utf8')).map((document) => document.toJS() as Sample);

/** The same pod as a pod template. */
const templateOf = ({ apiVersion, topic, full }: Sample): Sample => ({
  apiVersion,
  kind: 'PodTemplate',
  ...(topic !== undefined && { topic }),
  full: { template: full },
});

/** Pods with a topic, as templates. */
export const templates = (samples: readonly Sample[]): readonly Sample[] =>
  samples.filter(({ kind, topic }) => kind === 'Pod' && topic !== undefined).map(templateOf);

/** Reads valid objects of the built-in kinds. */
export const readSamples = (): readonly Sample[] => files.flatMap(samplesOf);
