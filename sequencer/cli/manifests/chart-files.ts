/** Files of a Helm chart that are the same for every config. */

/** Returns `Chart.yaml`. */
export const chartDescription = (version: string): string => `apiVersion: v2
name: sequencer
description: Walks workspaces to Ready and back. Its roles are those of the config that it was made for.
type: application
version: ${version}
appVersion: ${version}
kubeVersion: ">=1.30.0-0"
`;

/** Names, and what a list of Secrets becomes. */
export const chartHelpers = `{{- define "sequencer.account" -}}
sequencer{{ with .Values.class }}-{{ . }}{{ end }}
{{- end }}
{{- define "sequencer.instance" -}}
{{ include "sequencer.account" . }}{{ with .Values.selector }}-{{ sha256sum . | trunc 8 }}{{ end }}
{{- end }}
{{- define "sequencer.credentials" -}}
{{- range .Values.credentials }}
- secretRef:
    name: {{ . | quote }}
{{- end }}
{{- end }}
{{- define "sequencer.egress" -}}
{{- range uniq .Values.egress }}
{{- $host := regexReplaceAll ":[0-9]+$" . "" | trimAll "[]" }}
- to:
    - ipBlock:
        cidr: {{ printf "%s/%s" $host (ternary "128" "32" (contains ":" $host)) | quote }}
  ports:
    - protocol: TCP
      port: {{ regexFind "[0-9]+$" . }}
{{- end }}
{{- end }}
`;

const remark = (undeclared: readonly string[]): string =>
  undeclared.length === 0
    ? ''
    : `\n# These connect to undeclared addresses, and need a NetworkPolicy of their own: ${undeclared.join(', ')}.`;

/**
 * Returns `values.yaml`.
 * @param undeclared parts that connect to undeclared addresses
 * @param values values that differ from the usual ones
 */
export async function chartValues(
  resources: object,
  undeclared: readonly string[],
  values: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { parseDocument, stringify } = await import('yaml');
  const document = parseDocument(usualValues(stringify({ resources }).trimEnd(), undeclared));
  for (const [name, value] of Object.entries(values)) if (value !== undefined) document.set(name, value);
  return document.toString({ lineWidth: 0 });
}

const usualValues = (
  resources: string,
  undeclared: readonly string[],
): string => `# Made by \`sequencer manifests --chart\` for one config: a config with other integrations needs other roles, and so a chart of its own.

# Holds Node and the package; see Containerfile.
image: sequencer:local
# One of them works, the others wait to take over; with shards each works.
replicas: 2
# Name of a ring of which the replicas are shards: each walks its share of the workspaces.
shards: ""
# Only workspaces of this namespace: Roles instead of ClusterRoles, and no right on definitions.
namespace: ""
# Only workspaces with this spec.className; without one, those that name none.
class: ""
# Only workspaces with these labels.
selector: ""
# Grants the operator the right to bring its CustomResourceDefinition up to date.
definitions: true
# Names of Secrets in the namespace of the release, whose values become the environment of the config.
credentials: []
# A ServiceMonitor and a PrometheusRule: only where the CustomResourceDefinitions of the Prometheus Operator are.
monitoring: false
# Refuses workspaces with mistakes by a webhook: Fail refuses all while no replica answers, Ignore admits them without validation; empty for no webhook.
webhooks: ""
# Addresses of the API server, as IP:PORT: the operator connects to nothing but these, DNS and what the integrations connect to; empty for no limit.${remark(undeclared)}
egress: []
# Further fields of the pods' spec, such as imagePullSecrets, nodeSelector, tolerations, affinity.
pod: {}
${resources}
`;

const text = (pattern: string) => ({ type: 'string', pattern });
const label = '([a-z0-9]([-a-z0-9]*[a-z0-9])?)';

/** `values.schema.json`: texts of the forms that the templates write without quotes. */
export const chartSchema = `${JSON.stringify(
  {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    additionalProperties: false,
    properties: {
      global: { type: 'object' },
      image: text('^\\S+$'),
      replicas: { type: 'integer', minimum: 0 },
      shards: { ...text('^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$'), maxLength: 63 },
      namespace: { ...text(`^${label}?$`), maxLength: 63 },
      class: { ...text(`^${label}?$`), maxLength: 40 },
      selector: text('^[-A-Za-z0-9_./=!<>, ()]*$'),
      definitions: { type: 'boolean' },
      credentials: { type: 'array', items: text('^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$') },
      monitoring: { type: 'boolean' },
      webhooks: text('^(Fail|Ignore)?$'),
      egress: { type: 'array', items: text('^(\\d{1,3}(\\.\\d{1,3}){3}|\\[[0-9a-f:.]{2,45}\\]):\\d{1,5}$') },
      pod: { type: 'object' },
      resources: { type: 'object' },
    },
  },
  undefined,
  2,
)}
`;
