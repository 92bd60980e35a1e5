import type { Json, Workshop } from './workloads.ts';

/** Everything in a namespace, by plural. */
export type All = Readonly<Record<string, readonly Json[]>>;

/** One way of a workload's life. */
export interface Story {
  readonly title: string;
  /** Each does something and says when it is done. */
  readonly steps: readonly ((workshop: Workshop, namespace: string) => Promise<(all: All) => boolean>)[];
}

/** A container with one port. */
export const container = { name: 'main', image: 'example.test/main:1', ports: [{ name: 'http', containerPort: 8080 }] };
/** Labels of the pods of all stories. */
export const labels = { app: 'it' };
/** A template of such pods. */
export const template = (spec: object = {}) => ({ metadata: { labels }, spec: { containers: [container], ...spec } });
/** What selects them. */
export const selector = { matchLabels: labels };

/** The status of the first object of a plural. */
export const statusIn = (all: All, plural: string): Json => (all[plural]?.[0]?.status ?? {}) as Json;
/** How many objects of a plural there are. */
export const count = (all: All, plural: string): number => all[plural]?.length ?? 0;
/** A condition of the first object of a plural. */
export const conditionIn = (all: All, plural: string, type: string): Json | undefined =>
  ((statusIn(all, plural).conditions ?? []) as readonly Json[]).find((condition) => condition.type === type);
/** Whether every slice has so many endpoints. */
export const found = (all: All, wanted: number): boolean =>
  (all.endpointslices ?? []).every(({ endpoints }) => (endpoints as readonly Json[] | null)?.length === wanted);
/** A patch of the image. */
export const image = (version: number) => ({
  template: { spec: { containers: [{ ...container, image: `example.test/main:${version}` }] } },
});
