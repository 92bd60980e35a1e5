/** Converts Events between core/v1 and events.k8s.io/v1. */

import { type ApiObject, type Draft, draftOf, type Fields } from '../apimachinery/object.ts';
import type { Conversion } from './registry.ts';

/** Fields that events.k8s.io names otherwise than core: [core name, events.k8s.io name]. */
const renamed: readonly (readonly [string, string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
];

/** Fields that the core version always shows, with their empty values. */
const coreAlways: Fields = {
  involvedObject: {},
  source: {},
  firstTimestamp: null,
  lastTimestamp: null,
  eventTime: null,
  reportingComponent: '',
  reportingInstance: '',
};
const viewAlways: Fields = {
  eventTime: null,
  regarding: {},
  deprecatedSource: {},
  deprecatedFirstTimestamp: null,
  deprecatedLastTimestamp: null,
};
const viewOmitsEmpty = ['reportingController', 'reportingInstance'];

function rename(object: Draft | ApiObject, pairs: readonly (readonly [string, string])[]): Draft {
  const result = draftOf(object);
  for (const [from, to] of pairs) {
    if (!(from in result)) continue;
    result[to] = result[from];
    delete result[from];
  }
  return result;
}

/** Converts Events between the stored core version and events.k8s.io. */
export const eventsView: Conversion = {
  fromStored(object) {
    const view: Draft = { ...viewAlways, ...rename(object, renamed), apiVersion: 'events.k8s.io/v1' };
    for (const name of viewOmitsEmpty) if (view[name] === '') delete view[name];
    return view;
  },
  toStored: (draft) => ({
    ...coreAlways,
    ...rename(
      draft,
      renamed.map(([core, view]) => [view, core] as const),
    ),
    apiVersion: 'v1',
  }),
};
