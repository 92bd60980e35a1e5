import test from 'ava';
import {
  effectivePolicyOf,
  isPolicy,
  type ManagementPolicy,
  policies,
  policyAnnotation,
  policyEffects,
} from '../../../../../sdk/provider/contract/management-policy.ts';
import { aWorkspace } from '../../../a-workspace.ts';

const counts = (annotations: Readonly<Record<string, string>>, policy?: ManagementPolicy) =>
  effectivePolicyOf(aWorkspace({ annotations }), { condition: 'DNS', policy });
const all = policyAnnotation();
const dns = policyAnnotation('DNS');

const cases: readonly (readonly [title: string, Parameters<typeof counts>, ManagementPolicy])[] = [
  ['no policy anywhere', [{}], 'manage'],
  ['the integration says so', [{}, 'plan'], 'plan'],
  ['the workspace says so for all', [{ [all]: 'orphan' }], 'orphan'],
  ['the workspace says so for this condition', [{ [dns]: 'observeOnly' }], 'observeOnly'],
  ['for another condition it does not count', [{ [policyAnnotation('Mail')]: 'plan' }], 'manage'],
  ['the integration is stricter', [{ [all]: 'manage' }, 'observeOnly'], 'observeOnly'],
  ['the workspace is stricter', [{ [dns]: 'plan' }, 'orphan'], 'plan'],
  ['one condition cannot be laxer than all', [{ [all]: 'plan', [dns]: 'manage' }], 'plan'],
];
for (const [title, given, policy] of cases)
  test(`${policy} counts where ${title}`, (t) => t.deepEqual(counts(...given), { policy, ...policyEffects[policy] }));

test('the names are those of our group', (t) => {
  t.deepEqual([all, dns], ['se.quencer.io/policy', 'policy.se.quencer.io/DNS']);
});

test('a value that is not a policy holds everything back, and says what it may be', (t) => {
  const { changes, deletes, orphansOnDelete: letsGo, mistake } = counts({ [dns]: 'Orphan' });
  t.deepEqual([changes, deletes, letsGo], [false, false, false]);
  t.regex(mistake ?? '', /^annotation policy\.se\.quencer\.io\/DNS is "Orphan", .* manage, orphan, plan, observeOnly$/);
});

test('each policy permits no more than the one before', (t) => {
  const granted = policies.map(
    (policy) => Number(policyEffects[policy].changes) + Number(policyEffects[policy].deletes),
  );
  t.deepEqual(
    granted,
    granted.toSorted((a, b) => b - a),
  );
  t.true(policies.every(isPolicy));
  t.false(isPolicy('toString'));
});
