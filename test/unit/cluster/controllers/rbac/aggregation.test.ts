import test from 'ava';
import type { ApiObject } from '../../../../cluster/apimachinery/object.ts';
import { aggregationController } from '../../../../cluster/controllers/rbac/aggregation.ts';
import type { Resource } from '../../../../cluster/resources/registry.ts';
import type { ServerContext } from '../../../../cluster/server/server-context.ts';
import { excessiveGrowth, workOn } from '../../../growth.ts';

const roleNamed = (name: string, more: object): ApiObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name, labels: { part: name } },
  ...more,
});
const ruleOf = (index: number) => ({ verbs: ['get'], apiGroups: [''], resources: [`things${index}`] });

test('the work of aggregation grows with the rules, not with their square', async (t) => {
  const collection = 'clusterroles';
  const growth = await excessiveGrowth(
    workOn(
      (size) => Array.from({ length: size }, (_, index) => ruleOf(index)),
      (rules) => {
        const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { part: 'part' } }] };
        const objects = [roleNamed('part', { rules }), roleNamed('whole', { aggregationRule, rules })];
        const server = { store: { page: () => ({ objects }) } } as unknown as ServerContext;
        const change = { type: 'MODIFIED', collection, key: 'part', object: objects[0]! } as const;
        aggregationController(server, { collection } as Resource)({ ...change, previous: undefined, revision: 1 });
      },
    ),
    { size: 12_800 },
  );
  t.is(growth, undefined);
});
