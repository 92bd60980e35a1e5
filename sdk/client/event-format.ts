import type { Kind } from '../api/kind.ts';
import { Event as CoreEvent } from '../api/kinds.ts';
import type { KubeObject } from '../api/object.ts';
import type { NewObject } from './client.ts';

/** Something that happened to an object, and how often. */
export interface Occurrence {
  readonly about: KubeObject;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** Wall clock ms. */
  readonly first: number;
  readonly last: number;
  readonly count: number;
  /** The event object's name. */
  readonly name: string;
}

/** Who says so. */
export interface Reporter {
  /** Such as `sequencer`. */
  readonly component: string;
  /** Which process of it. */
  readonly instance: string;
}

/** How events are written to a server. */
export interface EventFormat {
  readonly kind: Kind;
  create(occurrence: Occurrence, reporter: Reporter): NewObject<KubeObject>;
  /** The merge patch that tells of another occurrence. */
  again(occurrence: Occurrence): object;
}

const EventsEvent: Kind = { ...CoreEvent, group: 'events.k8s.io' };

const seconds = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;
const micros = (time: number): string => new Date(time).toISOString().replace('Z', '000Z');

/** Servers refuse longer ones; they count bytes of UTF-8. */
const longestMessage = 1024;
const longestReason = 128;
const longestName = 253;
const hashLength = 16;

/** The text, cut to so many bytes between two characters. */
function cut(text: string, length: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= length) return text;
  return `${bytes.toString('utf8', 0, length - 3).replace(/\uFFFD$/, '')}...`;
}

/** Events about cluster-scoped objects live in `default`. */
export const eventNamespaceOf = ({ metadata }: KubeObject): string => metadata.namespace ?? 'default';

/** The name of an event object, unique by its suffix. */
export const eventNameOf = ({ metadata: { name } }: KubeObject, suffix: string): string =>
  `${name.slice(0, longestName - hashLength - 1)}.${suffix.slice(0, hashLength)}`;

const referenceTo = ({ apiVersion, kind, metadata }: KubeObject) => ({
  apiVersion,
  kind,
  name: metadata.name,
  ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
  ...(metadata.uid !== undefined && { uid: metadata.uid }),
  ...(metadata.resourceVersion !== undefined && { resourceVersion: metadata.resourceVersion }),
});

const metadataOf = ({ about, name }: Occurrence) => ({ namespace: eventNamespaceOf(about), name });

const seriesOf = ({ count, last }: Occurrence) => ({ count, lastObservedTime: micros(last) });

/** `events.k8s.io/v1`: a repeated event is a series. */
export const eventsFormat: EventFormat = {
  kind: EventsEvent,
  create: (occurrence, { component, instance }) => ({
    metadata: metadataOf(occurrence),
    eventTime: micros(occurrence.first),
    reportingController: component,
    reportingInstance: cut(instance, longestReason),
    action: cut(occurrence.reason, longestReason),
    reason: cut(occurrence.reason, longestReason),
    regarding: referenceTo(occurrence.about),
    note: cut(occurrence.message, longestMessage),
    type: occurrence.type,
    ...(occurrence.count > 1 && { series: seriesOf(occurrence) }),
  }),
  again: (occurrence) => ({ series: seriesOf(occurrence) }),
};

/** Core `v1`: a repeated event has a count. */
export const coreFormat: EventFormat = {
  kind: CoreEvent,
  create: (occurrence, { component, instance }) => ({
    metadata: metadataOf(occurrence),
    involvedObject: referenceTo(occurrence.about),
    reason: cut(occurrence.reason, longestReason),
    message: cut(occurrence.message, longestMessage),
    type: occurrence.type,
    source: { component },
    reportingComponent: component,
    reportingInstance: cut(instance, longestReason),
    firstTimestamp: seconds(occurrence.first),
    lastTimestamp: seconds(occurrence.last),
    count: occurrence.count,
  }),
  again: ({ count, last }) => ({ count, lastTimestamp: seconds(last) }),
};
