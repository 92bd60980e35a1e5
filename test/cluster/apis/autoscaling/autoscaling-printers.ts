/** Columns of the kinds of the group, and their descriptions. */

import type { Fields } from '../../apimachinery/object.ts';
import { fieldsOf, listOf } from '../../apimachinery/validation/errors.ts';
import { ageOf, count, nameOf, type Printer } from '../printing/printer.ts';

const specOf = (object: Fields): Fields => fieldsOf(object.spec);
const statusOf = (object: Fields): Fields => fieldsOf(object.status);

function metricText(metric: Fields, current: Fields | undefined): string {
  const { type } = metric;
  if (type !== 'Resource') return '<unknown>';
  const { name, target } = fieldsOf(metric.resource);
  const { averageUtilization, averageValue } = fieldsOf(target);
  const now = fieldsOf(fieldsOf(current?.resource).current);
  if (averageUtilization === undefined) return `${name}: ${now.averageValue ?? '<unknown>'}/${averageValue}`;
  const used = now.averageUtilization === undefined ? '<unknown>' : `${now.averageUtilization}%`;
  return `${name}: ${used}/${averageUtilization}%`;
}

const horizontalPodAutoscalers: Printer = {
  columns: 'Name|Reference|Targets|MinPods|MaxPods|Replicas|Age',
  cells(object, ago) {
    const { scaleTargetRef, metrics, minReplicas, maxReplicas } = specOf(object);
    const { kind, name } = fieldsOf(scaleTargetRef);
    const current = listOf(statusOf(object).currentMetrics);
    const targets = listOf(metrics).map((metric, index) => metricText(metric, current[index]));
    const shown = targets.slice(0, 2).join(', ');
    return [
      nameOf(object),
      `${kind}/${name}`,
      targets.length === 0 ? '<none>' : targets.length > 2 ? `${shown} + ${targets.length - 2} more...` : shown,
      String(minReplicas ?? '<unset>'),
      count(maxReplicas),
      count(statusOf(object).currentReplicas),
      ageOf(object, ago),
    ];
  },
};

/** Printers of the group, by plural. */
export const autoscalingPrinters: Readonly<Record<string, Printer>> = {
  horizontalpodautoscalers: horizontalPodAutoscalers,
};

/** Descriptions of the columns, by `plural Column`. */
export const autoscalingColumnTexts: Readonly<Record<string, string>> = {
  'horizontalpodautoscalers MaxPods':
    'maxReplicas is the upper limit for the number of replicas to which the autoscaler can scale up. It cannot be less that minReplicas.',
  'horizontalpodautoscalers MinPods':
    'minReplicas is the lower limit for the number of replicas to which the autoscaler can scale down.  It defaults to 1 pod.  minReplicas is allowed to be 0 if the alpha feature gate HPAScaleToZero is enabled and at least one Object or External metric is configured.  Scaling is active as long as at least one metric value is available.',
  'horizontalpodautoscalers Reference':
    'scaleTargetRef points to the target resource to scale, and is used to the pods for which metrics should be collected, as well as to actually change the replica count.',
  'horizontalpodautoscalers Replicas':
    'currentReplicas is current number of replicas of pods managed by this autoscaler, as last seen by the autoscaler.',
  'horizontalpodautoscalers Targets':
    'metrics contains the specifications for which to use to calculate the desired replica count (the maximum replica count across all metrics will be used).  The desired replica count is calculated multiplying the ratio between the target value and the current value by the current number of pods.  Ergo, metrics used must decrease as the pod count is increased, and vice-versa.  See the individual metric source types for more information about how each type of metric must respond.',
};
