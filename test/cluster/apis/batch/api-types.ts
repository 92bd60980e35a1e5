/** Types of `io.k8s.api.batch.v1` in the notation of `resources/type-table.ts`. */
export const batchTypes = `
CronJob object metadata/1:meta.ObjectMeta spec/2:CronJobSpec status/3:CronJobStatus
CronJobSpec schedule/1*+:s timeZone/8?:s startingDeadlineSeconds/2?:l concurrencyPolicy/3:s suspend/4?:b
  jobTemplate/5*+:JobTemplateSpec successfulJobsHistoryLimit/6?:i failedJobsHistoryLimit/7?:i
CronJobStatus active/1:[core.ObjectReference]! lastScheduleTime/4?:t lastSuccessfulTime/5?:t
Job object metadata/1:meta.ObjectMeta spec/2:JobSpec status/3:JobStatus
JobCondition type/1*+:s status/2*+:s lastProbeTime/3:t lastTransitionTime/4:t reason/5:s message/6:s
JobSpec parallelism/1?:i completions/2?:i activeDeadlineSeconds/3?:l podFailurePolicy/11?:PodFailurePolicy
  successPolicy/16?:SuccessPolicy backoffLimit/7?:i backoffLimitPerIndex/12?:i maxFailedIndexes/13?:i
  selector/4?:meta.LabelSelector manualSelector/5?:b template/6*+:core.PodTemplateSpec ttlSecondsAfterFinished/8?:i
  completionMode/9?:s suspend/10?:b podReplacementPolicy/14?:s managedBy/15?:s
JobStatus conditions/1:[JobCondition]~type! startTime/2?:t completionTime/3?:t active/4:i succeeded/5:i failed/6:i
  terminating/11?:i completedIndexes/7:s failedIndexes/10?:s uncountedTerminatedPods/8?:UncountedTerminatedPods
  ready/9?:i
JobTemplateSpec metadata/1:meta.ObjectMeta spec/2:JobSpec
PodFailurePolicy rules/1*+:[PodFailurePolicyRule]!
PodFailurePolicyOnExitCodesRequirement containerName/1?:s operator/2*+:s values/3*+:[i]@
PodFailurePolicyOnPodConditionsPattern type/1*+:s status/2*+:s
PodFailurePolicyRule action/1*+:s onExitCodes/2?:PodFailurePolicyOnExitCodesRequirement
  onPodConditions/3:[PodFailurePolicyOnPodConditionsPattern]!
SuccessPolicy rules/1*+:[SuccessPolicyRule]!
SuccessPolicyRule succeededIndexes/1?:s succeededCount/2?:i
UncountedTerminatedPods succeeded/1:[s]@ failed/2:[s]@
`;
