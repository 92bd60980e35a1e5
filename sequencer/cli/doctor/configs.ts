/** Configs of tenants that cannot be used, each with the command that shows more. */

import { type Client, isDeleting, type Kind, keyOf } from '../../../sdk/index.ts';
import { isOfClass } from '../../run/operator-instance.ts';
import { type AnyConfig, configText } from '../../tenants/config-integration-name.ts';
import type { Finding } from './finding.ts';

/** Operator whose configs are checked. */
export interface ConfigCheckTarget {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly namespace: string | undefined;
  readonly className?: string | undefined;
}

/** Limit of the findings that are listed. */
const maxFindings = 50;

/** Returns the finding about a config, if any. */
function findingsOf(config: AnyConfig, { plural }: Kind): readonly Finding[] {
  const { namespace, name } = config.metadata;
  const ready = config.status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status === 'True' || isDeleting(config)) return [];
  const why = ready === undefined ? 'no operator has read it yet' : `${ready.reason}: ${ready.message}`;
  const place = namespace === undefined ? '' : ` -n ${namespace}`;
  const next = `kubectl${place} describe ${plural} ${name}; workspaces that use it are in Error meanwhile`;
  return [{ check: 'configs', status: 'problem', detail: `${configText(config)}  ${why}`, next }];
}

/** Returns the configs of these kinds that cannot be used, the first fifty of them; one finding that all can, if so. None without kinds. */
export async function configFindings(target: ConfigCheckTarget, kinds: readonly Kind[]): Promise<readonly Finding[]> {
  const { client, signal, namespace, className } = target;
  if (kinds.length === 0) return [];
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      const within = kind.namespaced && namespace !== undefined ? { namespace } : {};
      const { items } = await client.list(kind as Kind<AnyConfig>, { signal, ...within });
      return items.filter((one) => isOfClass(one, className)).map((config) => ({ config, kind }));
    }),
  );
  const all = lists.flat();
  const problems = all
    .toSorted((a, b) => keyOf(a.config.metadata).localeCompare(keyOf(b.config.metadata)))
    .flatMap(({ config, kind }) => findingsOf(config, kind));
  if (problems.length === 0) return [{ check: 'configs', status: 'ok', detail: `all ${all.length} can be used` }];
  const more: Finding = { check: 'configs', status: 'problem', detail: `and ${problems.length - maxFindings} more` };
  return problems.length <= maxFindings ? problems : [...problems.slice(0, maxFindings), more];
}
