import { type DefaultRule, fieldsOf } from './default-rule.ts';

const copied: ReadonlySet<string> = new Set([' PersistentVolumeClaim', 'snapshot.storage.k8s.io VolumeSnapshot']);

/** The two names of what a claim is filled from say the same; one of them knows claims and snapshots only. */
export const claimDefaults: DefaultRule = ({ dataSource: given, ...spec }) => {
  const { apiGroup, kind, name } = fieldsOf(given);
  const dataSource = copied.has(`${apiGroup ?? ''} ${kind}`) ? given : undefined;
  const { dataSourceRef } = spec;
  const { namespace, ...reference } = fieldsOf(dataSourceRef);
  const source = dataSource ?? (dataSourceRef === undefined || namespace ? undefined : reference);
  return {
    ...spec,
    ...(source !== undefined && { dataSource: source }),
    ...(dataSource !== undefined &&
      dataSourceRef === undefined && { dataSourceRef: { apiGroup: apiGroup ?? null, kind, name } }),
  };
};
