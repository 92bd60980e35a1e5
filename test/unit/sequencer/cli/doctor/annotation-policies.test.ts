import test from 'ava';
import type { KubeObject } from '../../../../../sdk/index.ts';
import { policyFindings } from '../../../../../sequencer/cli/doctor/annotation-policies.ts';
import {
  type AnnotationPolicyOptions,
  annotationPolicy,
} from '../../../../../sequencer/cli/manifests/annotation-policy.ts';
import { refusing } from '../../../a-target-cluster.ts';
import { aWebhookTarget } from './a-webhook-target.ts';

const operator = 'system:serviceaccount:ops:sequencer';
const own = { name: 'sequencer-annotations.ops', operator };
const former = { name: 'sequencer-annotations.old', operator: 'system:serviceaccount:old:sequencer' };

for (const [what, policies, finding, more] of [
  ['its own', [own], /^ok: sequencer-annotations\.ops, which lets only system:serviceaccount:ops:sequencer write/],
  ['none', [], /^problem: there is none for system:serviceaccount:ops:sequencer: all who may write workspaces/],
  ['one of a former place', [former, own], /^problem: sequencer-annotations\.old is for another operator: it refuses/],
  [
    'one whose namespace was changed by kustomize',
    [{ ...own, operator: former.operator }],
    /^problem: sequencer-annotations\.ops is for another operator/,
  ],
  ['one of another class', [own, { ...former, className: 'blue' }], /^ok/],
  ['one of another namespace', [own, { ...former, namespace: 'team-b' }], /^ok/, { namespace: 'team-a' }],
  ['one of a namespace that it walks, too', [own, { ...former, namespace: 'team-b' }], /^problem: .*\.old is for/],
] as const satisfies readonly (readonly [string, readonly AnnotationPolicyOptions[], RegExp, object?])[])
  test(`an operator with ${what} is told whether it may write annotations, and others not`, async (t) => {
    const { client, cluster } = await aWebhookTarget(t);
    for (const policy of policies)
      for (const object of annotationPolicy(policy)) await cluster.apply(object as unknown as KubeObject);
    const target = { client, signal: new AbortController().signal, namespace: undefined, operatorNamespace: 'ops' };
    const [first, ...rest] = await policyFindings({ ...target, isOperator: false, ...more });
    t.regex(`${first?.status}: ${first?.detail}`, finding);
    t.deepEqual(rest, []);
    t.deepEqual(await policyFindings({ ...target, isOperator: true }), [], 'a pod may not read policies');
  });

test('a policy without a binding counts as none, and one that may not be read as unknown', async (t) => {
  const { client, cluster } = await aWebhookTarget(t);
  await cluster.apply(annotationPolicy(own)[0] as unknown as KubeObject);
  const signal = new AbortController().signal;
  const found = () =>
    policyFindings({ client, signal, namespace: undefined, operatorNamespace: 'ops', isOperator: false });
  t.like(await found(), [{ status: 'problem' }]);
  const answers = [
    [404, 'NotFound', 'Kubernetes before 1.30 serves none'],
    [403, 'Forbidden', 'no'],
  ] as const;
  for (const [code, reason, detail] of answers) {
    const refused = refusing({ cluster }, ({ url }) => url.includes('validatingadmission'), {
      code,
      reason,
      message: 'no',
    });
    t.like(await found(), [{ status: 'unknown', detail }]);
    refused.over = true;
  }
});
