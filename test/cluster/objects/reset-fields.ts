/** Reset fields of strategies. */

import type { ResourceInfo } from '../apimachinery/resource-info.ts';
import { strategyOf } from '../apis/builtin-table.ts';
import { type FieldSet, leaf, setOfPaths } from '../managed-fields/field-set.ts';

const status = setOfPaths([['f:status']]);
const spec = setOfPaths([['f:spec']]);

/** Returns the fields that a write cannot change or own (the strategy's reset fields). */
export function resetFieldsOf(
  info: Pick<ResourceInfo, 'group' | 'plural' | 'hasStatus'>,
  subresource: string | undefined,
): FieldSet {
  const { resetFields } = strategyOf(`${info.group}/${info.plural}`);
  if (subresource === 'status') return resetFields?.status ?? spec;
  if (subresource !== undefined) return subresource === 'finalize' ? status : leaf;
  return resetFields?.object ?? (info.hasStatus ? status : leaf);
}
