{{/* The release's name, with the chart's where it does not say it. Short enough for what is added. */}}
{{- define "gatehouse.name" -}}
{{- $name := ternary .Release.Name (printf "%s-%s" .Release.Name .Chart.Name) (contains .Chart.Name .Release.Name) -}}
{{- $name | trunc 45 | trimSuffix "-" -}}
{{- end }}

{{/* What never changes of a component's labels: (list $ "api") */}}
{{- define "gatehouse.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: {{ $root.Chart.Name }}
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "gatehouse.labels" -}}
{{- $root := index . 0 -}}
{{ include "gatehouse.selector" . }}
app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "gatehouse.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ printf "%s@%s" .repository .digest | quote }}
{{- else -}}
{{ printf "%s:%s" .repository (.tag | default $.Chart.AppVersion) | quote }}
{{- end -}}
{{- end -}}
{{- end }}
