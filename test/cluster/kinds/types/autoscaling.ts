/** Types of `io.k8s.api.autoscaling.v1`. */
export const autoscalingTypes = `
CrossVersionObjectReference! apiVersion:s kind*:s name*:s
HorizontalPodAutoscaler object metadata:meta.ObjectMeta spec:HorizontalPodAutoscalerSpec
  status:HorizontalPodAutoscalerStatus
HorizontalPodAutoscalerSpec maxReplicas*:i minReplicas:i scaleTargetRef*:CrossVersionObjectReference
  targetCPUUtilizationPercentage:i
HorizontalPodAutoscalerStatus currentCPUUtilizationPercentage:i currentReplicas*:i desiredReplicas*:i lastScaleTime:t
  observedGeneration:l
Scale object metadata:meta.ObjectMeta spec:ScaleSpec status:ScaleStatus
ScaleSpec replicas:i
ScaleStatus replicas*:i selector:s
`;

/** Types of `io.k8s.api.autoscaling.v2`. */
export const autoscaling2Types = `
ContainerResourceMetricSource container*:s name*:s target*:MetricTarget
ContainerResourceMetricStatus container*:s current*:MetricValueStatus name*:s
CrossVersionObjectReference apiVersion:s kind*:s name*:s
ExternalMetricSource metric*:MetricIdentifier target*:MetricTarget
ExternalMetricStatus current*:MetricValueStatus metric*:MetricIdentifier
HPAScalingPolicy periodSeconds*:i type*:s value*:i
HPAScalingRules policies:[HPAScalingPolicy]! selectPolicy:s stabilizationWindowSeconds:i tolerance:q
HorizontalPodAutoscaler object metadata:meta.ObjectMeta spec:HorizontalPodAutoscalerSpec
  status:HorizontalPodAutoscalerStatus
HorizontalPodAutoscalerBehavior scaleDown:HPAScalingRules scaleUp:HPAScalingRules
HorizontalPodAutoscalerCondition lastTransitionTime:t message:s reason:s status*:s type*:s
HorizontalPodAutoscalerSpec behavior:HorizontalPodAutoscalerBehavior maxReplicas*:i metrics:[MetricSpec]!
  minReplicas:i scaleTargetRef*:CrossVersionObjectReference
HorizontalPodAutoscalerStatus conditions:[HorizontalPodAutoscalerCondition]~type@type currentMetrics:[MetricStatus]!
  currentReplicas:i desiredReplicas*:i lastScaleTime:t observedGeneration:l
MetricIdentifier name*:s selector:meta.LabelSelector
MetricSpec containerResource:ContainerResourceMetricSource external:ExternalMetricSource object:ObjectMetricSource
  pods:PodsMetricSource resource:ResourceMetricSource type*:s
MetricStatus containerResource:ContainerResourceMetricStatus external:ExternalMetricStatus object:ObjectMetricStatus
  pods:PodsMetricStatus resource:ResourceMetricStatus type*:s
MetricTarget averageUtilization:i averageValue:q type*:s value:q
MetricValueStatus averageUtilization:i averageValue:q value:q
ObjectMetricSource describedObject*:CrossVersionObjectReference metric*:MetricIdentifier target*:MetricTarget
ObjectMetricStatus current*:MetricValueStatus describedObject*:CrossVersionObjectReference metric*:MetricIdentifier
PodsMetricSource metric*:MetricIdentifier target*:MetricTarget
PodsMetricStatus current*:MetricValueStatus metric*:MetricIdentifier
ResourceMetricSource name*:s target*:MetricTarget
ResourceMetricStatus current*:MetricValueStatus name*:s
`;
