{{/* What several objects have in common. */}}

{{- define "pykala.name" -}}
{{ .Release.Name | trunc 40 | trimSuffix "-" }}
{{- end }}

{{- define "pykala.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* Labels of an object: a dict with the root and the component. */}}
{{- define "pykala.labels" -}}
app.kubernetes.io/name: pykala
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{/* What selects the pods of a component. */}}
{{- define "pykala.selected" -}}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "pykala.postgresHost" -}}
{{ if .Values.postgres.bundled }}{{ include "pykala.name" . }}-postgres{{ else }}{{ .Values.postgres.host }}{{ end }}
{{- end }}

{{- define "pykala.records" -}}
postgresql://{{ .Values.postgres.user }}@{{ include "pykala.postgresHost" . }}:{{ .Values.postgres.port }}/{{ .Values.postgres.database }}
{{- end }}

{{- define "pykala.library" -}}
{{ if eq .Values.index "qdrant" }}cluster:/config/cluster.toml{{ else }}{{ include "pykala.records" . }}?index=database&index_folder=/data/index{{ end }}
{{- end }}

{{- define "pykala.podSecurity" -}}
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- end }}

{{- define "pykala.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end }}

{{/* A secret as an environment variable: a dict with the root, the name and the key. */}}
{{- define "pykala.secret" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .root.Values.secretName }}
      key: {{ .key }}
{{- end }}

{{/* What every command of pykala reads: settings, the password of PostgreSQL, Redis. */}}
{{- define "pykala.environment" -}}
envFrom:
  - configMapRef:
      name: {{ include "pykala.name" . }}
env:
  {{- include "pykala.secret" (dict "root" . "name" "PGPASSWORD" "key" "postgres") | nindent 2 }}
  {{- if .Values.redis.enabled }}
  {{- include "pykala.secret" (dict "root" . "name" "REDIS_PASSWORD" "key" "redis") | nindent 2 }}
  - name: PYKALA_REDIS
    value: redis://:$(REDIS_PASSWORD)@{{ include "pykala.name" . }}-redis:6379/0
  {{- end }}
{{- end }}

{{- define "pykala.mounts" -}}
volumeMounts:
  {{- if eq .Values.index "qdrant" }}
  - { name: config, mountPath: /config }
  - { name: secrets, mountPath: /run/pykala }
  {{- end }}
  - { name: data, mountPath: /data }
  - { name: tmp, mountPath: /tmp }
{{- end }}

{{- define "pykala.volumes" -}}
volumes:
  {{- if eq .Values.index "qdrant" }}
  - name: config
    configMap:
      name: {{ include "pykala.name" . }}-cluster
  - name: secrets
    secret:
      secretName: {{ .Values.secretName }}
      items:
        - { key: qdrant, path: qdrant }
  {{- end }}
  - name: data # what every server has a copy of: small files and its cache
    emptyDir:
      sizeLimit: 8Gi
  - name: tmp
    emptyDir:
      sizeLimit: 4Gi
{{- end }}

{{/* The pod of a command that ends: a dict with the root, the component, the arguments and resources. */}}
{{- define "pykala.command" -}}
metadata:
  labels:
    {{- include "pykala.labels" (dict "root" .root "component" .component) | nindent 4 }}
spec:
  restartPolicy: OnFailure # what was stored stays, and the next try goes on
  {{- include "pykala.podSecurity" .root | nindent 2 }}
  containers:
    - name: {{ .component }}
      image: {{ include "pykala.image" .root }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      args: {{ .arguments | toJson }}
      {{- include "pykala.environment" .root | nindent 6 }}
      resources:
        {{- toYaml .resources | nindent 8 }}
      {{- include "pykala.containerSecurity" .root | nindent 6 }}
      {{- include "pykala.mounts" .root | nindent 6 }}
  {{- include "pykala.volumes" .root | nindent 2 }}
{{- end }}

{{- define "pykala.toNames" -}}
- ports:
    - { port: 53, protocol: UDP }
    - { port: 53, protocol: TCP }
{{- end }}

{{/* Egress to the pods of a component: a dict with the root, the component and a port. */}}
{{- define "pykala.to" -}}
- to:
    - podSelector:
        matchLabels:
          {{- include "pykala.selected" (dict "root" .root "component" .component) | nindent 10 }}
  ports:
    - { port: {{ .port }}, protocol: TCP }
{{- end }}

{{/* What a command and a server need of the other parts. */}}
{{- define "pykala.toStores" -}}
{{ include "pykala.toNames" . }}
- ports: # PostgreSQL, wherever it is
    - { port: {{ .Values.postgres.port }}, protocol: TCP }
{{- if eq .Values.index "qdrant" }}
{{ include "pykala.to" (dict "root" . "component" "qdrant" "port" 6333) }}
{{- end }}
{{- if .Values.redis.enabled }}
{{ include "pykala.to" (dict "root" . "component" "redis" "port" 6379) }}
{{- end }}
{{- end }}
