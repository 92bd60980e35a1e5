/** Types of `io.k8s.api.events.v1` in the notation of `resources/type-table.ts`. Made by `npm run generate:upstream`. */
export const eventsTypes = `
Event object metadata/1+:meta.ObjectMeta eventTime/2*+:u series/3?:EventSeries reportingController/4:s
  reportingInstance/5:s action/6:s reason/7:s regarding/8:core.ObjectReference related/9?:core.ObjectReference note/10:s
  type/11:s deprecatedSource/12:core.EventSource deprecatedFirstTimestamp/13:t deprecatedLastTimestamp/14:t
  deprecatedCount/15:i
EventSeries count/1*+:i lastObservedTime/2*+:u
`;
