/** Types of `io.k8s.api.batch.v1` in the notation of `../type-table.ts`. */
export const batchTypes = `
CronJob object metadata:meta.ObjectMeta spec:CronJobSpec status:CronJobStatus
CronJobSpec concurrencyPolicy:s failedJobsHistoryLimit:i jobTemplate*:JobTemplateSpec schedule*:s
  startingDeadlineSeconds:l successfulJobsHistoryLimit:i suspend:b timeZone:s
CronJobStatus active:[core.ObjectReference]! lastScheduleTime:t lastSuccessfulTime:t
Job object metadata:meta.ObjectMeta spec:JobSpec status:JobStatus
JobCondition lastProbeTime:t lastTransitionTime:t message:s reason:s status*:s type*:s
JobSpec activeDeadlineSeconds:l backoffLimit:i backoffLimitPerIndex:i completionMode:s completions:i managedBy:s
  manualSelector:b maxFailedIndexes:i parallelism:i podFailurePolicy:PodFailurePolicy podReplacementPolicy:s
  selector:meta.LabelSelector successPolicy:SuccessPolicy suspend:b template*:core.PodTemplateSpec
  ttlSecondsAfterFinished:i
JobStatus active:i completedIndexes:s completionTime:t conditions:[JobCondition]~type! failed:i failedIndexes:s
  ready:i startTime:t succeeded:i terminating:i uncountedTerminatedPods:UncountedTerminatedPods
JobTemplateSpec metadata:meta.ObjectMeta spec:JobSpec
PodFailurePolicy rules*:[PodFailurePolicyRule]!
PodFailurePolicyOnExitCodesRequirement containerName:s operator*:s values*:[i]@
PodFailurePolicyOnPodConditionsPattern status*:s type*:s
PodFailurePolicyRule action*:s onExitCodes:PodFailurePolicyOnExitCodesRequirement
  onPodConditions:[PodFailurePolicyOnPodConditionsPattern]!
SuccessPolicy rules*:[SuccessPolicyRule]!
SuccessPolicyRule succeededCount:i succeededIndexes:s
UncountedTerminatedPods failed:[s]@ succeeded:[s]@
`;
