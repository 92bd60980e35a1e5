/** Mistakes that keep a workspace from becoming Ready, found by the same functions as in a walk. */

import { unknownSpecMembers, type WrongField, wrongFieldsIn } from '../../sdk/host/index.ts';
import { errorOf, type Integration, type Workspace } from '../../sdk/index.ts';
import { readinessOf } from '../engine/plan/input-readiness.ts';
import { orderOf } from '../engine/plan/order.ts';
import { candidatesOf, isRequestedOrError, requestedOf } from '../engine/plan/requested-integrations.ts';
import { contestedText } from '../engine/plan/shared-condition.ts';

/** Mistakes, and notes on possible ones. */
export interface WorkspaceMistakes {
  readonly errors: readonly WrongField[];
  readonly notes: readonly WrongField[];
}

/** Returns the path of the first string with a substring; undefined without one. Takes time linear in the size of the value. */
function fieldHolding(value: unknown, part: string, path: string): string | undefined {
  const open: [unknown, string][] = [[value, path]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [one, at] = next;
    if (typeof one === 'string' && one.includes(part)) return at;
    if (typeof one !== 'object' || one === null) continue;
    const members = Object.entries(one).map(([name, member]): [unknown, string] => [
      member,
      Array.isArray(one) ? `${at}[${name}]` : `${at}.${name.slice(0, 64)}`,
    ]);
    for (const member of members.toReversed()) open.push(member);
  }
  return undefined;
}

/** Reports whether a workspace requests an integration; an error if `handles` or `validate` fails, which is not a mistake of the workspace. */
function isRequestedBy(workspace: Workspace, integration: Integration): boolean | Error {
  try {
    wrongFieldsIn(integration, workspace);
    return isRequestedOrError(workspace, integration);
  } catch (error) {
    return errorOf(error);
  }
}

/** Returns a message without its leading field. */
const withoutField = ({ field, message }: WrongField): WrongField => ({
  field,
  message: message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message,
});

/** Returns the mistakes that block an integration until the spec changes, as its condition would report them. */
function blockingMistakes(
  workspace: Workspace,
  integration: Integration,
  selection: Parameters<typeof readinessOf>[2],
): readonly WrongField[] {
  const unsettled = { ...workspace, status: { ...workspace.status, conditions: [] } }; // a settled condition may be that of an earlier spec
  const readiness = readinessOf(unsettled, integration, selection);
  if (readiness.kind !== 'blocked' || readiness.status !== 'Error') return [];
  const { reason, fields } = readiness;
  if (fields !== undefined) return fields.map(withoutField);
  const [reference = ''] = reason.split(/: | must read /);
  const field = fieldHolding(workspace.spec, reference, 'spec') ?? `spec.integrations.${integration.name}`;
  return [{ field, message: reason }];
}

/** Returns the conditions that several integrations claim, although only one can have each. */
const contestedConditions = (handled: readonly Integration[]): readonly WrongField[] =>
  [...Map.groupBy(handled, ({ condition }) => condition).values()]
    .filter(({ length }) => length > 1)
    .map((all) => ({ field: 'spec', message: contestedText(all[0]!, all) }));

/**
 * Finds the mistakes in a spec that keep a workspace from becoming Ready: settings that violate their schema or the `validate` of an integration, references
 * to outputs that do not exist or depend on each other in a cycle, several integrations for one condition, and misspelt members of `spec.integrations`. Notes
 * are unknown members without a similar known one, and integrations whose `handles` or `validate` throws. Pure.
 */
export function mistakesIn(workspace: Workspace, integrations: readonly Integration[]): WorkspaceMistakes {
  const candidates = candidatesOf(workspace, integrations);
  const handled = requestedOf(workspace, integrations);
  const selection = { integrations, candidates, order: orderOf(workspace, candidates) };
  const unhandled = unknownSpecMembers(workspace, integrations);
  const requests = new Map(candidates.map((one) => [one, isRequestedBy(workspace, one)]));
  const failing = [...requests.values()].flatMap((requested): readonly WrongField[] =>
    requested instanceof Error ? [{ field: 'spec', message: requested.message }] : [],
  );
  return {
    errors: [
      ...unhandled.filter(({ meant }) => meant !== undefined),
      ...contestedConditions(handled),
      ...handled
        .filter((integration) => !(requests.get(integration) instanceof Error))
        .flatMap((integration) => blockingMistakes(workspace, integration, selection)),
    ].map(({ field, message }) => ({ field, message })),
    notes: [...unhandled.filter(({ meant }) => meant === undefined), ...failing].map(({ field, message }) => ({
      field,
      message,
    })),
  };
}
