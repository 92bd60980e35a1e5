import type { Json } from './workloads.ts';

/** Fields that differ from server to server or from run to run. */
const own = new Set(['uid', 'resourceVersion', 'managedFields', 'selfLink', 'containerID']);

/** Annotation that a real server writes depending on timing; the in-memory one never does. */
const triggerTime = 'endpoints.kubernetes.io/last-change-trigger-time';

/** Texts that differ from run to run, with their placeholders. */
const masks: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'TIME'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID'],
  [/\b10\.9\.0\.\d+\b/g, 'IP'],
  [/\b10\.96\.\d+\.\d+\b/g, 'CLUSTER-IP'],
  // A template's hash and what the server makes of a generateName.
  [/(?<=^|-|")[bcdfghjklmnpqrstvwxz2456789]{6,10}(?=$|-|"| )/g, 'HASH'],
  [/(?<=-)[bcdfghjklmnpqrstvwxz2456789]{5}(?=$|"| )/g, 'NAME'],
];

/** Lists without meaningful order. */
const unordered = new Set(['endpoints', 'addresses', 'notReadyAddresses']);

const inOrder = (name: string, value: unknown): unknown =>
  unordered.has(name) && Array.isArray(value)
    ? value.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))
    : value;

function masked(value: unknown): unknown {
  if (typeof value === 'string') return masks.reduce((text, [pattern, mask]) => text.replace(pattern, mask), value);
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => !own.has(name));
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(name, masked(member))]).sort());
}

const byType = (conditions: unknown): unknown =>
  Array.isArray(conditions) ? conditions.toSorted((a, b) => String(a.type).localeCompare(String(b.type))) : conditions;

/** Returns an object without the fields that are specific to the server or the run. */
function portraitOf(plural: string, object: Json): Json {
  const { metadata, status, ...rest } = object as { metadata: Json; status?: Json };
  const { generation: _generation, annotations, ...meta } = metadata;
  const { [triggerTime]: _time, ...notes } = (annotations ?? {}) as Json;
  // The number of times a ReplicaSet was resized depends on how fast its pods were.
  const { observedGeneration, ...counts } = status ?? {};
  const seen = plural === 'replicasets' || observedGeneration === undefined ? {} : { observedGeneration };
  const shown = status && { ...counts, ...seen, conditions: byType(status.conditions) };
  return masked({
    ...rest,
    metadata: { ...meta, ...(Object.keys(notes).length > 0 && { annotations: notes }) },
    ...(shown && { status: shown }),
  }) as Json;
}

/** Returns lists without fields specific to the server or the run, in an order independent of these. */
export const portraitsOf = (
  all: Readonly<Record<string, readonly Json[]>>,
): Readonly<Record<string, readonly Json[]>> =>
  Object.fromEntries(
    Object.entries(all).map(([plural, objects]) => [
      plural,
      objects
        .map((object) => portraitOf(plural, object))
        .toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
    ]),
  );
