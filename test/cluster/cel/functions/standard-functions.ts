/** Declarations of the CEL standard library. */

const numbers = [
  ['int', 'int64'],
  ['uint', 'uint64'],
  ['double', 'double'],
] as const;

const orderings = { '_<_': 'less', '_<=_': 'less_equals', '_>_': 'greater', '_>=_': 'greater_equals' } as const;

const comparisons = Object.entries(orderings).flatMap(([name, id]) => [
  `${name} ${id}_bool (bool, bool) bool`,
  ...numbers.flatMap(([left, leftId]) =>
    numbers.map(([right, rightId]) => {
      const suffix = left === right ? leftId : `${leftId}_${rightId}`;
      return `${name} ${id}_${suffix} (${left}, ${right}) bool`;
    }),
  ),
  ...['string', 'bytes', 'timestamp', 'duration'].map((type) => `${name} ${id}_${type} (${type}, ${type}) bool`),
]);

const arithmetic = [
  ...['_+_ add', '_-_ subtract', '_*_ multiply', '_/_ divide'].flatMap((sign) =>
    numbers.map(([type, id]) => `${sign}_${id} (${type}, ${type}) ${type}`),
  ),
  '_%_ modulo_int64 (int, int) int',
  '_%_ modulo_uint64 (uint, uint) uint',
  '-_ negate_int64 (int) int',
  '-_ negate_double (double) double',
  '_+_ add_bytes (bytes, bytes) bytes',
  '_+_ add_string (string, string) string',
  '_+_ add_list (list<A>, list<A>) list<A>',
  '_+_ add_duration_duration (duration, duration) duration',
  '_+_ add_duration_timestamp (duration, timestamp) timestamp',
  '_+_ add_timestamp_duration (timestamp, duration) timestamp',
  '_-_ subtract_duration_duration (duration, duration) duration',
  '_-_ subtract_timestamp_duration (timestamp, duration) timestamp',
  '_-_ subtract_timestamp_timestamp (timestamp, timestamp) duration',
];

const operators = [
  '_?_:_ conditional (bool, A, A) A',
  '_&&_ logical_and (bool, bool) bool',
  '_||_ logical_or (bool, bool) bool',
  '!_ logical_not (bool) bool',
  '@not_strictly_false not_strictly_false (bool) bool',
  '_==_ equals (A, A) bool',
  '_!=_ not_equals (A, A) bool',
  '_[_] index_list (list<A>, int) A',
  '_[_] index_map (map<A, B>, A) B',
  '_[_] optional_list_index_int (optional<list<V>>, int) optional<V>',
  '_[_] optional_map_index_value (optional<map<K, V>>, K) optional<V>',
  '_[?_] list_optindex_optional_int (list<V>, int) optional<V>',
  '_[?_] optional_list_optindex_optional_int (optional<list<V>>, int) optional<V>',
  '_[?_] map_optindex_optional_value (map<K, V>, K) optional<V>',
  '_[?_] optional_map_optindex_optional_value (optional<map<K, V>>, K) optional<V>',
  '@in in_list (A, list<A>) bool',
  '@in in_map (A, map<A, B>) bool',
];

const sizes = [
  ['bytes', 'bytes'],
  ['list', 'list<A>'],
  ['map', 'map<A, B>'],
  ['string', 'string'],
].flatMap(([id, type]) => [`size size_${id} (${type}) int`, `size ${id}_size ${type?.replace(', ', ',')}.() int`]);

const conversions = [
  'type type (A) type<A>',
  'dyn to_dyn (A) dyn',
  'bool bool_to_bool (bool) bool',
  'bool string_to_bool (string) bool',
  'bytes bytes_to_bytes (bytes) bytes',
  'bytes string_to_bytes (string) bytes',
  'double double_to_double (double) double',
  'double int64_to_double (int) double',
  'double string_to_double (string) double',
  'double uint64_to_double (uint) double',
  'duration duration_to_duration (duration) duration',
  'duration int64_to_duration (int) duration',
  'duration string_to_duration (string) duration',
  'int int64_to_int64 (int) int',
  'int double_to_int64 (double) int',
  'int duration_to_int64 (duration) int',
  'int string_to_int64 (string) int',
  'int timestamp_to_int64 (timestamp) int',
  'int uint64_to_int64 (uint) int',
  ...['string', 'bool', 'bytes', 'double', 'duration', 'timestamp'].map(
    (type) => `string ${type}_to_string (${type}) string`,
  ),
  'string int64_to_string (int) string',
  'string uint64_to_string (uint) string',
  'timestamp timestamp_to_timestamp (timestamp) timestamp',
  'timestamp int64_to_timestamp (int) timestamp',
  'timestamp string_to_timestamp (string) timestamp',
  'uint uint64_to_uint64 (uint) uint',
  'uint double_to_uint64 (double) uint',
  'uint int64_to_uint64 (int) uint',
  'uint string_to_uint64 (string) uint',
];

const texts = [
  'contains contains_string string.(string) bool',
  'endsWith ends_with_string string.(string) bool',
  'startsWith starts_with_string string.(string) bool',
  'matches matches (string, string) bool',
  'matches matches_string string.(string) bool',
];

const partsOfTimes: Readonly<Record<string, string>> = {
  getFullYear: 'year',
  getMonth: 'month',
  getDayOfYear: 'day_of_year',
  getDayOfMonth: 'day_of_month',
  getDate: 'day_of_month_1_based',
  getDayOfWeek: 'day_of_week',
  getHours: 'hours',
  getMinutes: 'minutes',
  getSeconds: 'seconds',
  getMilliseconds: 'milliseconds',
};

const times = [
  ...Object.entries(partsOfTimes).flatMap(([name, part]) => [
    `${name} timestamp_to_${part} timestamp.() int`,
    `${name} timestamp_to_${part}_with_tz timestamp.(string) int`,
  ]),
  ...['Hours', 'Minutes', 'Seconds', 'Milliseconds'].map(
    (part) => `get${part} duration_to_${part.toLowerCase()} duration.() int`,
  ),
];

const optionals = [
  'optional.of optional_of (V) optional<V>',
  'optional.ofNonZeroValue optional_ofNonZeroValue (V) optional<V>',
  'optional.none optional_none () optional<V>',
  'value optional_value optional<V>.() V',
  'hasValue optional_hasValue optional<V>.() bool',
  'or optional_or_optional optional<V>.(optional<V>) optional<V>',
  'orValue optional_orValue_value optional<V>.(V) V',
  'last list_last list<V>.() optional<V>',
  'first list_first list<V>.() optional<V>',
  'optional.unwrap optional_unwrap (list<optional<V>>) list<V>',
  'unwrapOpt optional_unwrapOpt list<optional<V>>.() list<V>',
];

const inserts = [
  'cel.@mapInsert @mapInsert_map_key_value (map<K, V>, K, V) map<K, V>',
  'cel.@mapInsert @mapInsert_map_map (map<K, V>, map<K, V>) map<K, V>',
];

/** Functions of CEL's standard library. */
export const standardFunctions: readonly string[] = [
  ...operators,
  ...arithmetic,
  ...comparisons,
  ...sizes,
  ...conversions,
  ...texts,
  ...times,
  ...optionals,
  ...inserts,
];
