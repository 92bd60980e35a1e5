/** Types of `io.k8s.api.batch.v1` in the notation of `resources/type-table.ts`. Made by `npm run generate:upstream`. */
export const batchTypes = `
CompletionMode =Indexed|NonIndexed
ConcurrencyPolicy =Allow|Forbid|Replace
CronJob object metadata/1:meta.ObjectMeta spec/2:CronJobSpec status/3:CronJobStatus
CronJobSpec schedule/1*+:s timeZone/8?:s startingDeadlineSeconds/2?:l concurrencyPolicy/3:s<ConcurrencyPolicy>
  suspend/4?:b jobTemplate/5*+:JobTemplateSpec successfulJobsHistoryLimit/6?:i failedJobsHistoryLimit/7?:i
CronJobStatus active/1:[core.ObjectReference]! lastScheduleTime/4?:t lastSuccessfulTime/5?:t
Job object metadata/1:meta.ObjectMeta spec/2:JobSpec status/3:JobStatus
JobCondition type/1*+:s<JobConditionType> status/2*+:s<core.ConditionStatus> lastProbeTime/3:t lastTransitionTime/4:t
  reason/5:s message/6:s
JobSpec parallelism/1?:i completions/2?:i activeDeadlineSeconds/3?:l podFailurePolicy/11?:PodFailurePolicy
  successPolicy/16?:SuccessPolicy backoffLimit/7?:i backoffLimitPerIndex/12?:i maxFailedIndexes/13?:i
  selector/4?:meta.LabelSelector manualSelector/5?:b template/6*+:core.PodTemplateSpec ttlSecondsAfterFinished/8?:i
  completionMode/9?:s<CompletionMode> suspend/10?:b podReplacementPolicy/14?:s<PodReplacementPolicy> managedBy/15?:s
JobStatus conditions/1:[JobCondition]~type! startTime/2?:t completionTime/3?:t active/4:i succeeded/5:i failed/6:i
  terminating/11?:i completedIndexes/7:s failedIndexes/10?:s uncountedTerminatedPods/8?:UncountedTerminatedPods
  ready/9?:i
JobTemplateSpec metadata/1:meta.ObjectMeta spec/2:JobSpec
PodFailurePolicy rules/1*+:[PodFailurePolicyRule]!
PodFailurePolicyAction =Count|FailIndex|FailJob|Ignore
PodFailurePolicyOnExitCodesOperator =In|NotIn
PodFailurePolicyOnExitCodesRequirement containerName/1?:s operator/2*+:s<PodFailurePolicyOnExitCodesOperator>
  values/3*+:[i]@
PodFailurePolicyOnPodConditionsPattern type/1*+:s<core.PodConditionType> status/2*+:s<core.ConditionStatus>
PodFailurePolicyRule action/1*+:s<PodFailurePolicyAction> onExitCodes/2?:PodFailurePolicyOnExitCodesRequirement
  onPodConditions/3:[PodFailurePolicyOnPodConditionsPattern]!
PodReplacementPolicy =Failed|TerminatingOrFailed
SuccessPolicy rules/1*+:[SuccessPolicyRule]!
SuccessPolicyRule succeededIndexes/1?:s succeededCount/2?:i
UncountedTerminatedPods succeeded/1:[s<types.UID>]@ failed/2:[s<types.UID>]@
`;
