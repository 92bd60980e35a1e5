/** Types and helpers of workload stories. */

import type { Json, Workshop } from './workloads.ts';

/** All objects of a namespace, by plural. */
export type All = Readonly<Record<string, readonly Json[]>>;

/** A sequence of steps in a workload's life. */
export interface Story {
  readonly title: string;
  /** Steps; each acts and returns a predicate for its completion. */
  readonly steps: readonly ((workshop: Workshop, namespace: string) => Promise<(all: All) => boolean>)[];
}

/** Container with one port. */
export const container = { name: 'main', image: 'example.test/main:1', ports: [{ name: 'http', containerPort: 8080 }] };
/** Labels of the pods of all stories. */
export const labels = { app: 'it' };
/** Template of such pods. */
export const template = (spec: object = {}) => ({ metadata: { labels }, spec: { containers: [container], ...spec } });
/** Selector of such pods. */
export const selector = { matchLabels: labels };

/** Status of the first object of a plural. */
export const statusIn = (all: All, plural: string): Json => (all[plural]?.[0]?.status ?? {}) as Json;
/** Number of objects of a plural. */
export const count = (all: All, plural: string): number => all[plural]?.length ?? 0;
/** Condition of the first object of a plural. */
export const conditionIn = (all: All, plural: string, type: string): Json | undefined =>
  ((statusIn(all, plural).conditions ?? []) as readonly Json[]).find((condition) => condition.type === type);
/** Reports whether every slice has that many endpoints. */
export const found = (all: All, wanted: number): boolean =>
  (all.endpointslices ?? []).every(({ endpoints }) => (endpoints as readonly Json[] | null)?.length === wanted);
/** Patch of the image. */
export const image = (version: number) => ({
  template: { spec: { containers: [{ ...container, image: `example.test/main:${version}` }] } },
});
