/** Types of all versions of the group, in the notation of `resources/type-table.ts`. Made by `npm run generate:upstream`. */

/** Types of `io.k8s.api.autoscaling.v1`. */
export const autoscalingTypes = `
CrossVersionObjectReference! kind/1*+:s name/2*+:s apiVersion/3:s
HorizontalPodAutoscaler object metadata/1:meta.ObjectMeta spec/2:HorizontalPodAutoscalerSpec
  status/3:HorizontalPodAutoscalerStatus
HorizontalPodAutoscalerSpec scaleTargetRef/1*+:CrossVersionObjectReference minReplicas/2?:i maxReplicas/3*+:i
  targetCPUUtilizationPercentage/4?:i
HorizontalPodAutoscalerStatus observedGeneration/1?:l lastScaleTime/2?:t currentReplicas/3*+:i desiredReplicas/4*+:i
  currentCPUUtilizationPercentage/5?:i
Scale object metadata/1:meta.ObjectMeta spec/2:ScaleSpec status/3:ScaleStatus
ScaleSpec replicas/1:i=
ScaleStatus replicas/1*+:i selector/2:s
`;

/** Types of `io.k8s.api.autoscaling.v2`. */
export const autoscaling2Types = `
ContainerResourceMetricSource name/1*+:s<core.ResourceName> target/2*+:MetricTarget container/3*+:s
ContainerResourceMetricStatus name/1*+:s<core.ResourceName> current/2*+:MetricValueStatus container/3*+:s
CrossVersionObjectReference kind/1*+:s name/2*+:s apiVersion/3:s
ExternalMetricSource metric/1*+:MetricIdentifier target/2*+:MetricTarget
ExternalMetricStatus metric/1*+:MetricIdentifier current/2*+:MetricValueStatus
HPAScalingPolicy type/1*+:s<HPAScalingPolicyType> value/2*+:i periodSeconds/3*+:i
HPAScalingRules stabilizationWindowSeconds/3?:i selectPolicy/1?:s<ScalingPolicySelect> policies/2:[HPAScalingPolicy]!
  tolerance/4?:q
HorizontalPodAutoscaler object metadata/1:meta.ObjectMeta spec/2:HorizontalPodAutoscalerSpec
  status/3:HorizontalPodAutoscalerStatus
HorizontalPodAutoscalerBehavior scaleUp/1?:HPAScalingRules scaleDown/2?:HPAScalingRules
HorizontalPodAutoscalerCondition type/1*+:s<HorizontalPodAutoscalerConditionType> status/2*+:s<core.ConditionStatus>
  lastTransitionTime/3:t reason/4:s message/5:s
HorizontalPodAutoscalerSpec scaleTargetRef/1*+:CrossVersionObjectReference minReplicas/2?:i maxReplicas/3*+:i
  metrics/4:[MetricSpec]! behavior/5?:HorizontalPodAutoscalerBehavior
HorizontalPodAutoscalerStatus observedGeneration/1?:l lastScaleTime/2?:t currentReplicas/3:i desiredReplicas/4*+:i
  currentMetrics/5+:[MetricStatus]! conditions/6:[HorizontalPodAutoscalerCondition]~type@type
MetricIdentifier name/1*+:s selector/2?:meta.LabelSelector
MetricSpec type/1*+:s<MetricSourceType> object/2?:ObjectMetricSource pods/3?:PodsMetricSource
  resource/4?:ResourceMetricSource containerResource/7?:ContainerResourceMetricSource external/5?:ExternalMetricSource
MetricStatus type/1*+:s<MetricSourceType> object/2?:ObjectMetricStatus pods/3?:PodsMetricStatus
  resource/4?:ResourceMetricStatus containerResource/7?:ContainerResourceMetricStatus external/5?:ExternalMetricStatus
MetricTarget type/1*+:s<MetricTargetType> value/2?:q averageValue/3?:q averageUtilization/4?:i
MetricValueStatus value/1?:q averageValue/2?:q averageUtilization/3?:i
ObjectMetricSource describedObject/1*+:CrossVersionObjectReference target/2*+:MetricTarget metric/3*+:MetricIdentifier
ObjectMetricStatus metric/1*+:MetricIdentifier current/2*+:MetricValueStatus
  describedObject/3*+:CrossVersionObjectReference
PodsMetricSource metric/1*+:MetricIdentifier target/2*+:MetricTarget
PodsMetricStatus metric/1*+:MetricIdentifier current/2*+:MetricValueStatus
ResourceMetricSource name/1*+:s<core.ResourceName> target/2*+:MetricTarget
ResourceMetricStatus name/1*+:s<core.ResourceName> current/2*+:MetricValueStatus
`;
