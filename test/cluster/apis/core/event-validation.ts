/** Validates Events of both groups. */

import type { FieldError } from '../../apimachinery/field-error.ts';
import { isQualifiedName } from '../../apimachinery/name-validation.ts';
import { equal, type Fields } from '../../apimachinery/object.ts';
import { named } from '../../apimachinery/validation/combinators.ts';
import { type Check, fieldsOf, invalid, required } from '../../apimachinery/validation/errors.ts';
import { asGo } from '../../resources/go-form.ts';

const mismatch = (about: unknown): FieldError =>
  invalid('involvedObject.namespace', about, 'does not match event.namespace');

/** Required texts of events with an `eventTime` and their length limits; names as in core. */
const limits = [
  ['reportingInstance', 128],
  ['action', 128],
  ['reason', 128],
] as const;

const maxNoteLength = 1024;
const withoutNamespace = ['default', 'kube-system'];

const tooLong = (field: string, most: number): FieldError => invalid(field, '', `can have at most ${most} characters`);

function* namespaceErrors({ metadata, involvedObject }: Fields): Generator<FieldError> {
  const { namespace } = fieldsOf(metadata);
  const about = fieldsOf(involvedObject).namespace ?? '';
  if (about === '' ? namespace !== 'default' : about !== namespace) yield mismatch(about);
}

function* textErrors(event: Fields): Generator<FieldError> {
  for (const [name, most] of limits) {
    const text = String(event[name] ?? '');
    if (text === '') yield required(name);
    if (Buffer.byteLength(text) > most) yield tooLong(name, most);
  }
  if (Buffer.byteLength(String(event.message ?? '')) > maxNoteLength) yield tooLong('message', maxNoteLength);
}

/** Validates events of both groups; `reporter` is the name of the reporting controller's field. */
function* commonErrors(event: Fields, reporter: string): Generator<FieldError> {
  if (!event.eventTime) {
    yield* namespaceErrors(event);
    return;
  }
  const { namespace } = fieldsOf(event.metadata);
  if (!fieldsOf(event.involvedObject).namespace && !withoutNamespace.includes(String(namespace))) yield mismatch('');
  const { reportingComponent: component = '' } = event;
  if (component === '') yield required(reporter);
  yield* named(isQualifiedName)(component, reporter);
  yield* textErrors(event);
}

function* seriesErrors({ series }: Fields): Generator<FieldError> {
  if (series === undefined) return;
  const { count, lastObservedTime } = fieldsOf(series);
  if (Number(count ?? 0) < 2) yield invalid('series.count', '', 'should be at least 2');
  if (!lastObservedTime) yield required('series.lastObservedTime');
}

/** Fields that only core's events have. */
const old: readonly string[] = ['firstTimestamp', 'lastTimestamp', 'count'];

function* strictErrors(event: Fields): Generator<FieldError> {
  yield* seriesErrors(event);
  if (!event.eventTime) yield required('eventTime');
  const { type = '', source } = event;
  if (type !== 'Normal' && type !== 'Warning') yield invalid('type', '', `has invalid value: ${type}`);
  for (const name of old) if (event[name]) yield invalid(name, '', 'needs to be unset');
  const { component, host } = fieldsOf(source);
  if (component || host) yield invalid('source', '', 'needs to be unset');
}

/** Immutable fields in the server's order: name, empty value and, for structs, type. */
const fixed: readonly (readonly [name: string, none: unknown, type?: string])[] = [
  ['involvedObject', {}, 'core.ObjectReference'],
  ['reason', ''],
  ['message', ''],
  ['source', {}, 'core.EventSource'],
  ['firstTimestamp', null],
  ['lastTimestamp', null],
  ['count', 0],
  ['reason', ''],
  ['type', ''],
  ['eventTime', null],
  ['action', ''],
  ['related', undefined, 'core.ObjectReference'],
  ['reportingComponent', ''],
  ['reportingInstance', ''],
];

function* changeErrors(event: Fields, before: Fields): Generator<FieldError> {
  if (!equal(event.series, before.series)) yield* seriesErrors(event);
  for (const [name, none, type] of fixed) {
    const [now, then] = [event[name] ?? none, before[name] ?? none];
    if (equal(now, then)) continue;
    const field = name === 'reportingComponent' ? 'reportingController' : name;
    yield invalid(field, type === undefined ? now : asGo(type, now), 'field is immutable');
  }
}

/** Core's names of fields that events.k8s.io renames. */
const coreNames: Readonly<Record<string, string>> = {
  regarding: 'involvedObject',
  note: 'message',
  deprecatedSource: 'source',
  deprecatedFirstTimestamp: 'firstTimestamp',
  deprecatedLastTimestamp: 'lastTimestamp',
  deprecatedCount: 'count',
  reportingController: 'reportingComponent',
};

const inCore = (event: Fields): Fields =>
  Object.fromEntries(Object.entries(event).map(([name, value]) => [coreNames[name] ?? name, value]));

/** Validates an Event of `events.k8s.io`. */
export const newEvent: Check = function* (object, before) {
  const event = inCore(object);
  yield* commonErrors(event, 'reportingController');
  if (before === undefined) yield* strictErrors(event);
  else yield* changeErrors(event, inCore(before));
};

/** Validates an Event of the core group. */
export const coreEvent: Check = (event) => commonErrors(event, 'reportingComponent');
