/** Aggregates repeated events and limits their rate per object, as client-go's EventCorrelator does. */

import type { KubeObject } from '../../api/object.ts';
import { cutText } from '../../cut-text.ts';
import { eventNameOf, type Occurrence } from './event-format.ts';

/** Event to report. */
export type Report = Pick<Occurrence, 'about' | 'type' | 'reason' | 'message'>;

/** Event object that counts equal reports, with its current and its last written state. */
export interface CorrelatedEvent {
  occurrence: Occurrence;
  /** Count on the server; 0 when it does not exist there. */
  written: number;
  /** Monotonic ms of the last write, or of the first report. */
  writtenAt: number;
  /** Monotonic ms of the last report. */
  seenAt: number;
}

/** Limits of an {@link EventCorrelator}; times in ms. */
export interface EventLimits {
  /** Capacity of the token bucket of each object: new event objects at once. */
  readonly burst: number;
  /** ms until a token is added to the bucket. */
  readonly refill: number;
  /** ms after the last equal report from which a report starts a new event object. */
  readonly forgetAfter: number;
  /** Limit of the entries; the least recently seen are evicted. */
  readonly size: number;
}

/** Times and name suffix of a report. */
export interface ReportTime {
  readonly now: number;
  readonly monotonic: number;
  readonly suffix: string;
}

/** Token bucket of an object. */
interface Bucket {
  tokens: number;
  filledAt: number;
}

const identityOf = ({ apiVersion, kind, metadata }: KubeObject): string =>
  metadata.uid ?? [apiVersion, kind, metadata.namespace, metadata.name].join('\n');

/** Longest message that is kept, in characters; events have 1024 bytes. */
const maxMessageLength = 1024;

/** Returns the metadata of an object that its events need, so that entries do not retain large objects. */
const withoutContent = ({ apiVersion, kind, metadata }: KubeObject): KubeObject => {
  const { name, namespace, uid, resourceVersion } = metadata;
  return { apiVersion, kind, metadata: { name, namespace, uid, resourceVersion } } as KubeObject;
};

function dropOldest(map: Map<string, unknown>, size: number): void {
  for (const key of map.keys()) {
    if (map.size <= size) return;
    map.delete(key);
  }
}

/** Counts equal reports in one event and limits the events per object by a token bucket. Does no I/O. */
export class EventCorrelator {
  readonly #limits: EventLimits;
  readonly #entries = new Map<string, CorrelatedEvent>();
  readonly #buckets = new Map<string, Bucket>();

  constructor(limits: EventLimits) {
    this.#limits = limits;
  }

  /** Records a report and returns its entry; undefined when its object has no token left. */
  report(newReport: Report, { now, monotonic, suffix }: ReportTime): CorrelatedEvent | undefined {
    const report = { ...newReport, message: cutText(newReport.message, maxMessageLength) };
    const key = [identityOf(report.about), report.type, report.reason, report.message].join('\n');
    const known = this.#entries.get(key);
    this.#entries.delete(key);
    if (known !== undefined && monotonic - known.seenAt < this.#limits.forgetAfter) {
      this.#entries.set(key, known);
      known.occurrence = { ...known.occurrence, last: now, count: known.occurrence.count + 1 };
      known.seenAt = monotonic;
      return known;
    }
    if (!this.#takeToken(identityOf(report.about), monotonic)) return undefined;
    const name = eventNameOf(report.about, suffix);
    const occurrence = { ...report, about: withoutContent(report.about), name, first: now, last: now, count: 1 };
    const entry = { occurrence, written: 0, writtenAt: monotonic, seenAt: monotonic };
    this.#entries.set(key, entry);
    dropOldest(this.#entries, this.#limits.size);
    return entry;
  }

  #takeToken(object: string, monotonic: number): boolean {
    const { burst, refill, size } = this.#limits;
    const { tokens, filledAt } = this.#buckets.get(object) ?? { tokens: burst, filledAt: monotonic };
    const filled = Math.min(burst, tokens + (monotonic - filledAt) / refill);
    const isTaken = filled >= 1;
    this.#buckets.delete(object);
    this.#buckets.set(object, { tokens: isTaken ? filled - 1 : filled, filledAt: monotonic });
    dropOldest(this.#buckets, size);
    return isTaken;
  }
}
