/** Kinds of `flowcontrol.apiserver.k8s.io` as resources, with what writes do besides validation. Loaded when a cluster starts. */

import type { Strategy } from '../../server/strategy.ts';
import { specAndMetadata } from '../status-reset-fields.ts';

/** Kinds of the group, in the notation of `builtin-table.ts`. */
export const flowcontrolTable = `\
flowcontrol.apiserver.k8s.io/v1
  FlowSchema flowschemas #GJVAJZSZBIw= generation unconditional /status
  PriorityLevelConfiguration prioritylevelconfigurations #Kir5PVfvNeI= generation unconditional /status`;

/** Strategies of the group, by collection. */
export const flowcontrolStrategies: Readonly<Record<string, Strategy>> = {
  'flowcontrol.apiserver.k8s.io/flowschemas': { resetFields: specAndMetadata },
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': { resetFields: specAndMetadata },
};
