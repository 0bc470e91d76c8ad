{{/* What values.schema.json cannot say, as a list: each names the value and what it takes. */}}
{{- define "gatehouse.refuseWhatCannotWork" -}}
{{- $problems := list -}}
{{- with .Values -}}
{{- if not .image.repository }}{{ $problems = append $problems "image.repository: name the image that you have built (docs/container.md)" }}{{ end -}}
{{- if not .existingSecret }}{{ $problems = append $problems "existingSecret: name a secret with DATABASE_URL and GATEHOUSE_MASTER_KEY" }}{{ end -}}
{{- $url := urlParse (.settings.GATEHOUSE_BASE_URL | default "") -}}
{{- if not (and (has $url.scheme (list "http" "https")) $url.host) }}{{ $problems = append $problems "settings.GATEHOUSE_BASE_URL: give the address under which people reach it, such as https://gatehouse.example.com" }}{{ end -}}
{{- if ne 1 (len (compact (list .files.location .files.claim.existing .files.claim.size))) }}{{ $problems = append $problems "files: give exactly one of location (s3://bucket/prefix, or an extension's), claim.existing and claim.size; pods on several nodes share no directory otherwise" }}{{ end -}}
{{- if and .files.claim.storageClass (not .files.claim.size) }}{{ $problems = append $problems "files.claim.storageClass: goes with claim.size only" }}{{ end -}}
{{- if .files.claim.existing -}}
{{- $claim := lookup "v1" "PersistentVolumeClaim" $.Release.Namespace .files.claim.existing -}}
{{- if and $claim (not (has "ReadWriteMany" $claim.spec.accessModes)) }}{{ $problems = append $problems (printf "files.claim.existing: %s is not ReadWriteMany, so only the pods of one node could write to it" .files.claim.existing) }}{{ end -}}
{{- end -}}
{{- if and .networkPolicy.enabled (not .networkPolicy.database.to) }}{{ $problems = append $problems "networkPolicy.database.to: say where the database is, for instance [{ipBlock: {cidr: 10.0.0.5/32}}]; or turn networkPolicy.enabled off" }}{{ end -}}
{{- if and .ingress.enabled (not (has $url.path (list "" "/"))) }}{{ $problems = append $problems "ingress.enabled: an Ingress cannot take the path of GATEHOUSE_BASE_URL off; put a proxy that does so in front of the service" }}{{ end -}}
{{- if and .ingress.enabled .ingress.tlsSecret (ne $url.scheme "https") }}{{ $problems = append $problems "ingress.tlsSecret: GATEHOUSE_BASE_URL has to begin with https:, or sessions are sent without TLS as well" }}{{ end -}}
{{- with .backup -}}
{{- if and .schedule (not .keySecret) }}{{ $problems = append $problems "backup.keySecret: name a secret whose backup.key has the public key that `admin backup-key` printed" }}{{ end -}}
{{- if and .schedule (ne 1 (len (compact (list .claim.existing .claim.size)))) }}{{ $problems = append $problems "backup.claim: give exactly one of existing and size" }}{{ end -}}
{{- end -}}
{{- with .worker.autoscaling -}}
{{- if gt (int .min) (int .max) }}{{ $problems = append $problems "worker.autoscaling: min is more than max" }}{{ end -}}
{{- if and (eq .by "keda") (not .keda.serverAddress) }}{{ $problems = append $problems "worker.autoscaling.keda.serverAddress: give the address of Prometheus" }}{{ end -}}
{{- end -}}
{{- if ne (eq .sandbox.appArmor.type "Localhost") (ne .sandbox.appArmor.localhostProfile "") }}{{ $problems = append $problems "sandbox.appArmor: Localhost and localhostProfile go together" }}{{ end -}}
{{- $secrets := fromYaml (include "gatehouse.secrets" $) -}}
{{- $taken := concat (keys (fromYaml (include "gatehouse.madeSettings" (list $ "api")))) (keys .settings) $secrets.required $secrets.both $secrets.api -}}
{{- range .extraEnv -}}
{{- if or (has .name $taken) (hasPrefix "GATEHOUSE_" .name) }}{{ $problems = append $problems (printf "extraEnv: %s is a setting; it goes into settings, or into the secret" .name) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- if $problems }}{{ fail (printf "\n  %s" (join "\n  " $problems)) }}{{ end -}}
{{- end }}
