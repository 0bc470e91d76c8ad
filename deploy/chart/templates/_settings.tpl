{{/* Secret settings by who reads them. A required one that is missing keeps the pod from starting. */}}
{{- define "gatehouse.secrets" -}}
required: [DATABASE_URL, GATEHOUSE_MASTER_KEY]
both:
  - REDIS_URL
  - SMTP_URL
  - GATEHOUSE_METRICS_TOKEN
  - GATEHOUSE_VAULT_TOKEN
  - GATEHOUSE_VAULT_SECRET_ID
  - GATEHOUSE_AWS_SECRETS_ACCESS_KEY_ID
  - GATEHOUSE_AWS_SECRETS_SECRET_ACCESS_KEY
  - AWS_ACCESS_KEY_ID
  - AWS_SECRET_ACCESS_KEY
  - OTEL_EXPORTER_OTLP_HEADERS
  - OTEL_EXPORTER_OTLP_TRACES_HEADERS
api:
  - GATEHOUSE_MODEL_KEY
  - GATEHOUSE_OWNER_PASSWORD
  - GATEHOUSE_OIDC_CLIENT_SECRET
  - GATEHOUSE_OIDC_SCIM_TOKEN
{{- range compact (splitList "," (.Values.settings.GATEHOUSE_OIDC | default "")) }}
  - GATEHOUSE_OIDC_{{ trim . | upper | replace "-" "_" }}_CLIENT_SECRET
  - GATEHOUSE_OIDC_{{ trim . | upper | replace "-" "_" }}_SCIM_TOKEN
{{- end }}
{{- end }}

{{/* Settings that this chart makes of other values. */}}
{{- define "gatehouse.madeSettings" -}}
{{- $root := index . 0 -}}
{{- $role := index . 1 -}}
GATEHOUSE_ROLE: {{ $role }}
GATEHOUSE_DATA: /data
GATEHOUSE_FILES: {{ $root.Values.files.location | default "file:/files" | quote }}
{{- if eq $role "api" }}
PORT: 3000
{{- else }}
GATEHOUSE_WORKER_PORT: 3000
GATEHOUSE_DRAIN_SECONDS: {{ $root.Values.worker.drainSeconds | int64 }}
GATEHOUSE_RUN_CONCURRENCY: {{ $root.Values.worker.concurrency | int64 }}
{{- end }}
{{- end }}

{{/* As it stands in the environment. Numbers are floats here, and YAML reads `on` and `off` as booleans. */}}
{{- define "gatehouse.settingText" -}}
{{- if kindIs "bool" . -}}
{{ ternary "on" "off" . }}
{{- else if and (kindIs "float64" .) (eq (floor .) .) -}}
{{ int64 . }}
{{- else -}}
{{ . }}
{{- end -}}
{{- end }}

{{- define "gatehouse.env" -}}
{{- $root := index . 0 -}}
{{- $role := index . 1 -}}
{{- $settings := merge (fromYaml (include "gatehouse.madeSettings" .)) $root.Values.settings }}
{{- range $name, $value := $settings }}
{{- $text := include "gatehouse.settingText" $value }}
{{- if ne $text "" }}
- name: {{ $name }}
  value: {{ $text | quote }}
{{- end }}
{{- end }}
{{- $secrets := fromYaml (include "gatehouse.secrets" $root) }}
{{- $optional := $secrets.both }}
{{- if eq $role "api" }}
{{- $optional = concat $secrets.both $secrets.api }}
{{- end }}
{{- range concat $secrets.required $optional }}
- name: {{ . }}
  valueFrom:
    secretKeyRef:
      name: {{ $root.Values.existingSecret }}
      key: {{ . }}
      optional: {{ not (has . $secrets.required) }}
{{- end }}
{{- with $root.Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}
