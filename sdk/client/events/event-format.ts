/** Formats events as `events.k8s.io/v1` or core `v1` objects. */

import type { Kind } from '../../api/kind.ts';
import { Event as CoreEvent } from '../../api/kinds.ts';
import type { KubeObject } from '../../api/object.ts';
import type { NewObject } from '../client.ts';

/** Event about an object, with its count. */
export interface Occurrence {
  readonly about: KubeObject;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** Wall clock in ms. */
  readonly first: number;
  readonly last: number;
  readonly count: number;
  /** Name of the event object. */
  readonly name: string;
}

/** Reporting component of an event. */
export interface Reporter {
  /** Name of the component, such as `sequencer`. */
  readonly component: string;
  /** Instance of the component, such as a pod's name. */
  readonly instance: string;
}

/** Encoding of events for one of the two event APIs. */
export interface EventFormat {
  readonly kind: Kind;
  create(occurrence: Occurrence, reporter: Reporter): NewObject<KubeObject>;
  /** Returns the merge patch that records a repeat. */
  repeat(occurrence: Occurrence): object;
}

const EventsEvent: Kind = { ...CoreEvent, group: 'events.k8s.io' };

const seconds = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;
const micros = (time: number): string => new Date(time).toISOString().replace('Z', '000Z');

/** Longest message in bytes of UTF-8; servers reject longer ones. */
const maxMessageLength = 1024;
const maxReasonLength = 128;
const maxNameLength = 253;
const suffixLength = 16;

/** Truncates a text to a number of bytes, at a character boundary. */
function cut(text: string, length: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= length) return text;
  return `${bytes.toString('utf8', 0, length - 3).replace(/\uFFFD$/, '')}...`;
}

/** Returns the namespace of an object's events; `default` for cluster-scoped objects. */
export const eventNamespaceOf = ({ metadata }: KubeObject): string => metadata.namespace ?? 'default';

/** Returns the name of an event object, unique by its suffix. A name that is too long is truncated at a letter or digit: servers refuse `-.` and `..`. */
export const eventNameOf = ({ metadata: { name } }: KubeObject, suffix: string): string => {
  const start = name.slice(0, maxNameLength - suffixLength - 1).replace(/[-.]+$/, '');
  return `${start}.${suffix.slice(0, suffixLength)}`;
};

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

/** Format of `events.k8s.io/v1`: a repeated event is a series. */
export const eventsFormat: EventFormat = {
  kind: EventsEvent,
  create: (occurrence, { component, instance }) => ({
    metadata: metadataOf(occurrence),
    eventTime: micros(occurrence.first),
    reportingController: component,
    reportingInstance: cut(instance, maxReasonLength),
    action: cut(occurrence.reason, maxReasonLength),
    reason: cut(occurrence.reason, maxReasonLength),
    regarding: referenceTo(occurrence.about),
    note: cut(occurrence.message, maxMessageLength),
    type: occurrence.type,
    ...(occurrence.count > 1 && { series: seriesOf(occurrence) }),
  }),
  repeat: (occurrence) => ({ series: seriesOf(occurrence) }),
};

/** Format of core `v1`: a repeated event has a count. */
export const coreFormat: EventFormat = {
  kind: CoreEvent,
  create: (occurrence, { component, instance }) => ({
    metadata: metadataOf(occurrence),
    involvedObject: referenceTo(occurrence.about),
    reason: cut(occurrence.reason, maxReasonLength),
    message: cut(occurrence.message, maxMessageLength),
    type: occurrence.type,
    source: { component },
    reportingComponent: component,
    reportingInstance: cut(instance, maxReasonLength),
    firstTimestamp: seconds(occurrence.first),
    lastTimestamp: seconds(occurrence.last),
    count: occurrence.count,
  }),
  repeat: ({ count, last }) => ({ count, lastTimestamp: seconds(last) }),
};
