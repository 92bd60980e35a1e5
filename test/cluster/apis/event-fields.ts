/** Fields of the object that an Event is about, as field selectors name them. */
export const objectFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];
