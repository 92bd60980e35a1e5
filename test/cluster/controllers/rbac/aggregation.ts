/** ClusterRole aggregation controller. */

import { canonicalJson } from '../../../../sdk/api/digest.ts';
import { type ApiObject, draftOf, equal, isFields } from '../../apimachinery/object.ts';
import { selectsLabels } from '../../apimachinery/selectors/match-label-selector.ts';
import { updateObject } from '../../objects/update.ts';
import type { Resource } from '../../resources/registry.ts';
import type { ServerContext } from '../../server/server-context.ts';
import type { ChangeHandler } from '../engine/change-worker.ts';

const selectorsOf = ({ aggregationRule }: ApiObject): readonly unknown[] => {
  const selectors = isFields(aggregationRule) ? aggregationRule.clusterRoleSelectors : undefined;
  return Array.isArray(selectors) ? selectors : [];
};

const rulesIn = ({ rules }: ApiObject): readonly unknown[] => (Array.isArray(rules) ? rules : []);

function aggregatedRules(role: ApiObject, roles: readonly ApiObject[]): readonly unknown[] {
  const rules = new Map<string, unknown>();
  for (const selector of selectorsOf(role)) {
    for (const other of roles) {
      if (other.metadata.name === role.metadata.name || !selectsLabels(selector, other.metadata.labels)) continue;
      for (const rule of rulesIn(other)) {
        const id = canonicalJson(rule);
        if (!rules.has(id)) rules.set(id, rule);
      }
    }
  }
  return [...rules.values()];
}

/** Creates the controller that fills ClusterRoles with an aggregationRule with the rules of the selected ones. */
export function aggregationController(server: ServerContext, roles: Resource): ChangeHandler {
  const { store } = server;
  return ({ collection }) => {
    if (collection !== roles.collection) return;
    const all = store.page(collection, { prefix: '' }).objects;
    for (const role of all.filter((one) => selectorsOf(one).length > 0)) {
      const rules = aggregatedRules(role, all);
      if (equal(rules, rulesIn(role))) continue;
      updateObject({ server, resource: roles }, role, {
        ...draftOf(role),
        rules: rules.length === 0 ? null : rules,
      });
    }
  };
}
