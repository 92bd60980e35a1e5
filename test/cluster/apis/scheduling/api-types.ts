/** Types of `io.k8s.api.scheduling.v1` in the notation of `resources/type-table.ts`. Made by `npm run generate:upstream`. */
export const schedulingTypes = `
PriorityClass object metadata/1:meta.ObjectMeta value/2*+:i globalDefault/3:b description/4:s
  preemptionPolicy/5?:s<core.PreemptionPolicy>
`;
