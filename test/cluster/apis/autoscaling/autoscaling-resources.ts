/** Kinds of `autoscaling` as resources, with what writes do besides validation. Loaded when a cluster starts. */

import type { Strategy } from '../../server/strategy.ts';

/** Kinds of the group, in the notation of `builtin-table.ts`. */
export const autoscalingTable = `\
autoscaling/v2
  HorizontalPodAutoscaler horizontalpodautoscalers -hpa @all #qwQve8ut294= namespaced unconditional statusMetadata
    /status
autoscaling/v1
  HorizontalPodAutoscaler horizontalpodautoscalers -hpa @all #qwQve8ut294= namespaced unconditional statusMetadata
    /status`;

/** Strategies of the group, by collection. */
export const autoscalingStrategies: Readonly<Record<string, Strategy>> = {
  'autoscaling/horizontalpodautoscalers': { validationPasses: { times: 3 } },
};
