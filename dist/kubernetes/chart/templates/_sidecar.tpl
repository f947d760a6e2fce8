{{- define "metrics-aggregator.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "metrics-aggregator.securityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities:
  drop: [ALL]
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "metrics-aggregator.mounts" -}}
- name: metrics-aggregator-sockets
  mountPath: /run/metrics-aggregator
- name: metrics-aggregator-results
  mountPath: /results
{{- end }}

{{/* The init containers of a pod: the directories, and the daemon as a native sidecar. The same as component/sidecar.yaml. */}}
{{- define "metrics-aggregator.initContainers" -}}
- name: metrics-aggregator-directories
  image: {{ include "metrics-aggregator.image" . }}
  imagePullPolicy: {{ .Values.image.pullPolicy }}
  command: [/bin/sh, -c, "umask 077 && mkdir -p /run/metrics-aggregator/s /results/run"]
  securityContext: {{- include "metrics-aggregator.securityContext" . | nindent 4 }}
  volumeMounts: {{- include "metrics-aggregator.mounts" . | nindent 4 }}
- name: metrics-aggregator-results
  image: {{ include "metrics-aggregator.image" . }}
  imagePullPolicy: {{ .Values.image.pullPolicy }}
  command: [/bin/sh, -c, "trap 'cat {{ index .Values.settings "output-dir" }}/final_snapshot.json; kill $!; exit 0' TERM; while :; do sleep 3600 & wait $!; done"]
  restartPolicy: Always
  securityContext: {{- include "metrics-aggregator.securityContext" . | nindent 4 }}
  volumeMounts: {{- include "metrics-aggregator.mounts" . | nindent 4 }}
- name: metrics-aggregator
  image: {{ include "metrics-aggregator.image" . }}
  imagePullPolicy: {{ .Values.image.pullPolicy }}
  args:
    - run
    {{- range $name, $values := .Values.settings }}
    {{- range $value := kindIs "slice" $values | ternary $values (list $values) }}
    {{- if eq (toString $value) "true" }}
    - --{{ $name }}
    {{- else if ne (toString $value) "false" }}
    - {{ printf "--%s=%v" $name $value | quote }}
    {{- end }}
    {{- end }}
    {{- end }}
  restartPolicy: Always
  env:
    - name: METRICS_AGGREGATOR_JAVA_OPTS
      value: {{ .Values.javaOpts | quote }}
  ports:
    - name: metrics
      containerPort: 9464
  startupProbe:
    exec:
      command: [test, -e, /results/run/.ready]
    periodSeconds: 1
    failureThreshold: 60
  resources: {{- toYaml .Values.resources | nindent 4 }}
  securityContext: {{- include "metrics-aggregator.securityContext" . | nindent 4 }}
  volumeMounts: {{- include "metrics-aggregator.mounts" . | nindent 4 }}
{{- end }}

{{- define "metrics-aggregator.volumes" -}}
- name: metrics-aggregator-sockets
  emptyDir:
    medium: Memory
    sizeLimit: 1Mi
- name: metrics-aggregator-results
  {{- if .Values.resultsClaim }}
  persistentVolumeClaim:
    claimName: {{ .Values.resultsClaim }}
  {{- else }}
  emptyDir: {}
  {{- end }}
{{- end }}
