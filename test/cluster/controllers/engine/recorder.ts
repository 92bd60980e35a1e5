/** Builds Events and counts repetitions. */

import { keyOf } from '../../../../sdk/api/object.ts';
import { timestampOf } from '../../apimachinery/generated-metadata.ts';
import type { Fields } from '../../apimachinery/object.ts';
import type { EventReport } from './reconciler.ts';

/** Write of an Event: a create, or an update of a known one. */
export interface EventWrite {
  readonly namespace: string;
  readonly name: string;
  /** True when the Event exists; then `body` is a merge patch. */
  readonly known: boolean;
  readonly body: Fields;
}

/** Builds the write of an Event; a repetition raises its count. */
export type Recorder = (report: EventReport, now: number) => EventWrite;

const remembered = 1000;
const nanos = 1_000_000n;

/** Creates a recorder for one component; it forgets all Events once it knows 1000. */
export function createRecorder(component: string, random: () => number): Recorder {
  const known = new Map<string, { readonly name: string; count: number }>();
  return ({ about, type, reason, message }, now) => {
    const { apiVersion, kind, metadata } = about;
    const { name: aboutName, namespace = 'default', uid, resourceVersion } = metadata;
    const timestamp = timestampOf(now);
    const key = [kind, keyOf(metadata), uid, type, reason, message].join('\n');
    const before = known.get(key);
    if (before !== undefined) {
      before.count += 1;
      const body = { count: before.count, lastTimestamp: timestamp };
      return { namespace, name: before.name, known: true, body };
    }
    const name = `${aboutName}.${(BigInt(now) * nanos + BigInt(Math.floor(random() * Number(nanos)))).toString(16)}`;
    if (known.size >= remembered) known.clear();
    known.set(key, { name, count: 1 });
    const involvedObject = { kind, namespace: metadata.namespace, name: aboutName, uid, apiVersion, resourceVersion };
    return {
      namespace,
      name,
      known: false,
      body: {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name, namespace },
        involvedObject,
        reason,
        message,
        source: { component },
        firstTimestamp: timestamp,
        lastTimestamp: timestamp,
        count: 1,
        type,
        reportingComponent: component,
        reportingInstance: '',
      },
    };
  };
}
