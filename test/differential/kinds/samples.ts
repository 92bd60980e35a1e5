import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

/** A good object of a kind without its name; `full` has most of what people write, where it is more. One of them must be there. */
export interface Sample {
  readonly apiVersion: string;
  readonly kind: string;
  /** Tells samples of one kind apart: what this one is about. */
  readonly topic?: string;
  readonly minimal?: object;
  readonly full?: object;
}

/** Where the samples are, in their order. */
const files = ['samples.yaml', 'pod-samples.yaml'];

const samplesOf = (file: string): readonly Sample[] =>
  parseAllDocuments(readFileSync(join(import.meta.dirname, file), 'utf8')).map((document) => document.toJS() as Sample);

/** The same as a template of pods. */
const templateOf = ({ apiVersion, topic, full }: Sample): Sample => ({
  apiVersion,
  kind: 'PodTemplate',
  ...(topic !== undefined && { topic }),
  full: { template: full },
});

/** Pods that are about something, as templates. */
export const templates = (samples: readonly Sample[]): readonly Sample[] =>
  samples.filter(({ kind, topic }) => kind === 'Pod' && topic !== undefined).map(templateOf);

/** Good objects of the built-in kinds. */
export const readSamples = (): readonly Sample[] => files.flatMap(samplesOf);
