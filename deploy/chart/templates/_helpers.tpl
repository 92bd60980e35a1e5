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
