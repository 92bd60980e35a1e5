{{- define "sequencer.account" -}}
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
