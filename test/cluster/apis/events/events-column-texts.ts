/** Descriptions of the columns, by `plural Column`. */
export const eventsColumnTexts: Readonly<Record<string, string>> = {
  'events Count': 'The number of times this event has occurred.',
  'events First Seen': 'The time at which the event was first recorded. (Time of server receipt is in TypeMeta.)',
  'events Last Seen': 'The time at which the most recent occurrence of this event was recorded.',
  'events Message': 'A human-readable description of the status of this operation.',
  'events Object': 'The object that this event is about.',
  'events Reason':
    "This should be a short, machine understandable string that gives the reason for the transition into the object's current status.",
  'events Source': 'The component reporting this event. Should be a short machine understandable string.',
  'events Subobject':
    'If referring to a piece of an object instead of an entire object, this string should contain a valid JSON/Go field access statement, such as desiredState.manifest.containers[2]. For example, if the object reference is to a container within a pod, this would take on a value like: "spec.containers{name}" (where "name" refers to the name of the container that triggered the event) or if no container name is specified "spec.containers[2]" (container with index 2 in this pod). This syntax is chosen only to have some well-defined way of referencing a part of an object.',
  'events Type': 'Type of this event (Normal, Warning), new types could be added in the future',
};
