import type { Fields } from '../../apimachinery/object.ts';
import { fieldsOf, listOf } from '../../apimachinery/validation/checks.ts';
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
