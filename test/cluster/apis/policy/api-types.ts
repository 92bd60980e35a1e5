/** Types of `io.k8s.api.policy.v1` in the notation of `resources/type-table.ts`. Made by `npm run generate:upstream`. */
export const policyTypes = `
Eviction object metadata/1:meta.ObjectMeta deleteOptions/2?:meta.DeleteOptions
PodDisruptionBudget object metadata/1:meta.ObjectMeta spec/2:PodDisruptionBudgetSpec status/3:PodDisruptionBudgetStatus
PodDisruptionBudgetSpec minAvailable/1?:o selector/2?:meta.LabelSelector maxUnavailable/3?:o
  unhealthyPodEvictionPolicy/4?:s<UnhealthyPodEvictionPolicyType>
PodDisruptionBudgetStatus observedGeneration/1:l disruptedPods/2:{t} disruptionsAllowed/3*+:i currentHealthy/4*+:i
  desiredHealthy/5*+:i expectedPods/6*+:i conditions/7:[meta.Condition]~type@type
UnhealthyPodEvictionPolicyType =AlwaysAllow|IfHealthyBudget
`;
