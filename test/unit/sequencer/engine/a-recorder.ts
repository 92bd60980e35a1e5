/** Integrations of tests that record what they are called for. */

import {
  defineIntegration,
  type Integration,
  type Provider,
  type ProviderController,
  type Workspace,
} from '../../../../sdk/index.ts';

/** An integration that guards one creation and one deletion in a Set, and records its calls. */
export function recorder(
  name: string,
  condition: string,
  after: readonly string[] = [],
): { readonly integration: Integration; readonly things: Set<string>; readonly calls: string[] } {
  const things = new Set<string>();
  const calls: string[] = [];
  const provider = (controller: ProviderController): Provider => ({
    reconcile: async () => {
      if (controller.refs.length > 0) return;
      await controller.guard(`creating ${name}`, async ({ key }) => {
        calls.push(`create ${name}`);
        things.add(key);
        return { status: 'Completed', reason: 'created', refs: [{ id: key }] };
      });
    },
    terminate: () =>
      controller.guard(`deleting ${name}`, async ({ refs }) => {
        calls.push(`delete ${name}`);
        for (const { id } of refs) things.delete(String(id));
        return { status: 'Terminated', reason: 'deleted', refs: [] };
      }),
  });
  return {
    things,
    calls,
    integration: defineIntegration({
      name,
      condition,
      after,
      handles: ({ spec }) => spec.integrations?.[name] !== false,
      connect: ({ controller }) => provider(controller),
    }),
  };
}

/** Returns the statuses of all conditions by type. */
export const statuses = (workspace: Workspace): Readonly<Record<string, string>> =>
  Object.fromEntries((workspace.status?.conditions ?? []).map(({ type, status }) => [type, status]));
