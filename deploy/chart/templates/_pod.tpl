{{/* What both pods say of themselves: (list $ "worker" .Values.worker) */}}
{{- define "gatehouse.podMetadata" -}}
labels:
  {{- include "gatehouse.labels" (list (index . 0) (index . 1)) | nindent 2 }}
{{- with (index . 2).podAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "gatehouse.podSpec" -}}
{{- $root := index . 0 -}}
{{- $component := index . 1 -}}
{{- $values := index . 2 -}}
serviceAccountName: {{ include "gatehouse.name" $root }}
automountServiceAccountToken: false
# Addresses of the namespace's services are nothing for a script that gets out of its box.
enableServiceLinks: false
hostUsers: false
{{- with $root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with $values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "gatehouse.selector" (list $root $component) | nindent 8 }}
{{- end }}

{{/* Of the pod: with fsGroup, volumes belong to the image's user. */}}
{{- define "gatehouse.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
{{- end }}

{{- define "gatehouse.containerSecurity" -}}
allowPrivilegeEscalation: false
privileged: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/*
What the sandbox needs instead of privileges: the system calls that make namespaces, and a /proc without covered parts, which
hostUsers makes harmless for the node.
*/}}
{{- define "gatehouse.sandboxSecurity" -}}
{{ include "gatehouse.containerSecurity" . }}
procMount: Unmasked
seccompProfile:
  type: Localhost
  localhostProfile: {{ .Values.sandbox.seccompProfile }}
{{- with .Values.sandbox.appArmor }}
{{- if .type }}
appArmorProfile:
  type: {{ .type }}
  {{- with .localhostProfile }}
  localhostProfile: {{ . }}
  {{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* A first start that carries out migrations may take half an hour; nothing is killed for being slow then. */}}
{{- define "gatehouse.probes" -}}
startupProbe:
  httpGet: { path: /health/live, port: http }
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 360
readinessProbe:
  httpGet: { path: /health/ready, port: http }
  periodSeconds: 5
  timeoutSeconds: 5
livenessProbe:
  httpGet: { path: /health/live, port: http }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
{{- end }}

{{- define "gatehouse.mounts" -}}
- name: data
  mountPath: /data
- name: tmp
  mountPath: /tmp
{{- if not .Values.files.location }}
- name: files
  mountPath: /files
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* /tmp holds parts of what people upload and is in memory, as nothing of it has to be on a node's disk. (list $ "10Gi") */}}
{{- define "gatehouse.volumes" -}}
{{- $root := index . 0 -}}
- name: data
  emptyDir:
    sizeLimit: {{ index . 1 }}
- name: tmp
  emptyDir:
    medium: Memory
    sizeLimit: 512Mi
{{- if not $root.Values.files.location }}
- name: files
  persistentVolumeClaim:
    claimName: {{ include "gatehouse.filesClaim" $root }}
{{- end }}
{{- with $root.Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "gatehouse.filesClaim" -}}
{{- .Values.files.claim.existing | default (printf "%s-files" (include "gatehouse.name" .)) -}}
{{- end }}
