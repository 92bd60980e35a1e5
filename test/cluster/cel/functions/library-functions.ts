/** Declarations of Kubernetes' CEL libraries. */

const comparable = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];

const lists = [
  ...comparable.flatMap((type) => [
    `isSorted list_${type}_is_sorted_bool list<${type}>.() bool`,
    `max list_${type}_max_${type} list<${type}>.() ${type}`,
    `min list_${type}_min_${type} list<${type}>.() ${type}`,
  ]),
  ...['int', 'uint', 'double', 'duration'].map((type) => `sum list_${type}_sum_${type} list<${type}>.() ${type}`),
  'indexOf list_a_index_of_int list<A>.(A) int',
  'lastIndexOf list_a_last_index_of_int list<A>.(A) int',
  'sets.contains list_sets_contains_list (list<T>, list<T>) bool',
  'sets.equivalent list_sets_equivalent_list (list<T>, list<T>) bool',
  'sets.intersects list_sets_intersects_list (list<T>, list<T>) bool',
];

const texts = [
  'charAt string_char_at_int string.(int) string',
  'indexOf string_index_of_string string.(string) int',
  'indexOf string_index_of_string_int string.(string, int) int',
  'lastIndexOf string_last_index_of_string string.(string) int',
  'lastIndexOf string_last_index_of_string_int string.(string, int) int',
  'lowerAscii string_lower_ascii string.() string',
  'replace string_replace_string_string string.(string, string) string',
  'replace string_replace_string_string_int string.(string, string, int) string',
  'split string_split_string string.(string) list<string>',
  'split string_split_string_int string.(string, int) list<string>',
  'substring string_substring_int string.(int) string',
  'substring string_substring_int_int string.(int, int) string',
  'trim string_trim string.() string',
  'upperAscii string_upper_ascii string.() string',
  'format string_format string.(list<dyn>) string',
  'strings.quote strings_quote (string) string',
  'join list_join list<string>.() string',
  'join list_join_string list<string>.(string) string',
  'find string_find_string string.(string) string',
  'findAll string_find_all_string string.(string) list<string>',
  'findAll string_find_all_string_int string.(string, int) list<string>',
];

const urls = [
  'url string_to_url (string) url',
  'getScheme url_get_scheme url.() string',
  'getHost url_get_host url.() string',
  'getHostname url_get_hostname url.() string',
  'getPort url_get_port url.() string',
  'getEscapedPath url_get_escaped_path url.() string',
  'getQuery url_get_query url.() map<string, list<string>>',
  'isURL is_url_string (string) bool',
];

const quantities = [
  'quantity string_to_quantity (string) quantity',
  'isQuantity is_quantity_string (string) bool',
  'sign quantity_sign (quantity) int',
  'isGreaterThan quantity_is_greater_than quantity.(quantity) bool',
  'isLessThan quantity_is_less_than quantity.(quantity) bool',
  'compareTo quantity_compare_to quantity.(quantity) int',
  'asApproximateFloat quantity_get_float quantity.() double',
  'asInteger quantity_get_int quantity.() int',
  'isInteger quantity_is_integer quantity.() bool',
  'add quantity_add quantity.(quantity) quantity',
  'add quantity_add_int quantity.(int) quantity',
  'sub quantity_sub quantity.(quantity) quantity',
  'sub quantity_sub_int quantity.(int) quantity',
];

const addresses = [
  'ip string_to_ip (string) ip',
  'family ip_family ip.() int',
  'ip.isCanonical ip_is_canonical (string) bool',
  'isUnspecified ip_is_unspecified ip.() bool',
  'isLoopback ip_is_loopback ip.() bool',
  'isLinkLocalMulticast ip_is_link_local_multicast ip.() bool',
  'isLinkLocalUnicast ip_is_link_local_unicast ip.() bool',
  'isGlobalUnicast ip_is_global_unicast ip.() bool',
  'isIP is_ip (string) bool',
  'string ip_to_string (ip) string',
  'cidr string_to_cidr (string) cidr',
  'containsIP cidr_contains_ip_string cidr.(string) bool',
  'containsIP cidr_contains_ip_ip cidr.(ip) bool',
  'containsCIDR cidr_contains_cidr_string cidr.(string) bool',
  'containsCIDR cidr_contains_cidr cidr.(cidr) bool',
  'ip cidr_ip cidr.() ip',
  'prefixLength cidr_prefix_length cidr.() int',
  'masked cidr_masked cidr.() cidr',
  'isCIDR is_cidr (string) bool',
  'string cidr_to_string (cidr) string',
];

/** Formats that `format.named` knows. */
export const formatNames: readonly string[] =
  'dns1123Label dns1123Subdomain dns1035Label qualifiedName dns1123LabelPrefix dns1123SubdomainPrefix dns1035LabelPrefix labelValue uri uuid byte date datetime'.split(
    ' ',
  );

const formats = [
  'validate format-validate format.(string) optional<list<string>>',
  'format.named format-named (string) optional<format>',
  ...formatNames.map((name) => `format.${name} format.${name} () format`),
];

const versions = [
  'semver string_to_semver (string) semver',
  'semver string_bool_to_semver (string, bool) semver',
  'isSemver is_semver_string (string) bool',
  'isSemver is_semver_string_bool (string, bool) bool',
  'isGreaterThan semver_is_greater_than semver.(semver) bool',
  'isLessThan semver_is_less_than semver.(semver) bool',
  'compareTo semver_compare_to semver.(semver) int',
  'major semver_major semver.() int',
  'minor semver_minor semver.() int',
  'patch semver_patch semver.() int',
];

const authorization = [
  'path authorizer_path authorizer.(string) pathCheck',
  'group authorizer_group authorizer.(string) groupCheck',
  'serviceAccount authorizer_serviceaccount authorizer.(string, string) authorizer',
  'resource groupcheck_resource groupCheck.(string) resourceCheck',
  'subresource resourcecheck_subresource resourceCheck.(string) resourceCheck',
  'namespace resourcecheck_namespace resourceCheck.(string) resourceCheck',
  'name resourcecheck_name resourceCheck.(string) resourceCheck',
  'fieldSelector authorizer_fieldselector resourceCheck.(string) resourceCheck',
  'labelSelector authorizer_labelselector resourceCheck.(string) resourceCheck',
  'check pathcheck_check pathCheck.(string) decision',
  'check resourcecheck_check resourceCheck.(string) decision',
  'errored decision_errored decision.() bool',
  'error decision_error decision.() string',
  'allowed decision_allowed decision.() bool',
  'reason decision_reason decision.() string',
];

/** Functions that Kubernetes adds to CEL. */
export const libraryFunctions: readonly string[] = [
  ...lists,
  ...texts,
  ...urls,
  ...quantities,
  ...addresses,
  ...formats,
  ...versions,
  ...authorization,
];
