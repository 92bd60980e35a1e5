/** Types of `io.k8s.kube-aggregator.pkg.apis.apiregistration.v1` in the notation of `resources/type-table.ts`. Made by `npm run generate:upstream`. */
export const apiregistrationTypes = `
APIService object metadata/1:meta.ObjectMeta spec/2:APIServiceSpec status/3:APIServiceStatus
APIServiceCondition type/1*+:s<APIServiceConditionType> status/2*+:s<ConditionStatus> lastTransitionTime/3:t reason/4:s
  message/5:s
APIServiceSpec service/1?:ServiceReference group/2:s version/3:s insecureSkipTLSVerify/4:b caBundle/5:y!
  groupPriorityMinimum/7*+:i versionPriority/8*+:i
APIServiceStatus conditions/1:[APIServiceCondition]~type@type
ServiceReference namespace/1:s name/2:s port/3?:i
`;
