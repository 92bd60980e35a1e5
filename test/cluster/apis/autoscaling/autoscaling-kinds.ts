/** Rules of the kinds of `autoscaling`. */

import type { Fields } from '../../apimachinery/object.ts';
import { memberAsSent } from '../../apimachinery/validation/empty-members.ts';
import { type DefaultRule, fieldsOf, withMissing } from '../../resources/defaulting.ts';
import type { BuiltinKind } from '../builtin-kind.ts';
import { horizontalPodAutoscaler, horizontalPodAutoscalerStatus } from './autoscaling-validation.ts';

const scaleUp: Fields = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
};
const scaleDown: Fields = { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] };

/** Defaults scaling rules; an explicitly empty list of policies stays empty. */
function scalingRules(given: unknown, missing: Fields): Fields {
  const rules = fieldsOf(given);
  const { policies: _policies, ...others } = missing;
  return withMissing(rules, memberAsSent(rules, 'policies') === undefined ? missing : others);
}

const behavior: DefaultRule = (value) => ({
  ...value,
  scaleUp: scalingRules(value.scaleUp, scaleUp),
  scaleDown: scalingRules(value.scaleDown, scaleDown),
});

const checks = { check: horizontalPodAutoscaler, checkStatus: horizontalPodAutoscalerStatus } satisfies BuiltinKind;

/** Rules of both versions of the kind, by type. */
export const autoscalingKinds: Readonly<Record<string, BuiltinKind>> = {
  'autoscaling.HorizontalPodAutoscaler': {
    values: {
      'autoscaling.HorizontalPodAutoscalerSpec': { minReplicas: 1, targetCPUUtilizationPercentage: 80 },
    },
    ...checks,
  },
  'autoscaling2.HorizontalPodAutoscaler': {
    values: {
      'autoscaling2.HorizontalPodAutoscalerSpec': {
        minReplicas: 1,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
        ],
      },
    },
    defaults: { 'autoscaling2.HorizontalPodAutoscalerBehavior': behavior },
    ...checks,
  },
};
