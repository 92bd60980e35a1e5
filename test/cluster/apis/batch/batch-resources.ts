/** Kinds of `batch` as resources, with what writes do besides validation. Loaded when a cluster starts. */

import type { Strategy } from '../../server/strategy.ts';
import { jobStrategy } from './job-strategy.ts';

/** Kinds of the group, in the notation of `builtin-table.ts`. */
export const batchTable = `\
batch/v1
  CronJob cronjobs -cj @all #sd5LIXh4Fjs= namespaced generation unconditional statusMetadata /status
  Job jobs @all #mudhfqk/qZY= namespaced generation unconditional statusMetadata ?status.successful /status`;

/** Strategies of the group, by collection. */
export const batchStrategies: Readonly<Record<string, Strategy>> = {
  'batch/cronjobs': { validationPasses: { times: 3, inStatus: 2 } },
  'batch/jobs': jobStrategy,
};
