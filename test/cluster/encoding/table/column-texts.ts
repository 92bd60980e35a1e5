/** Descriptions of table columns that several kinds share, in the server's words: by `Column`. */
export const columnTexts: Readonly<Record<string, string>> = {
  Containers: 'Names of each container in the template.',
  Images: 'Images referenced by each container in the template.',
  Ready: 'Number of the pod with ready state',
  Selector:
    'A label query over pods that should match the pod count. Normally, the system sets this field for you. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors',
  Webhooks: 'Webhooks indicates the number of webhooks registered in this configuration',
};
