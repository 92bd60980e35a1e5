/** Integrations of the killed sequencer. */

import { defineIntegration, type GuardOptions, type Integration } from '../../../../sdk/index.ts';

/** One integration of the third party that outlives the sequencer. */
export interface ThirdPartyOptions {
  readonly url: string;
  readonly name: string;
  readonly condition: string;
  readonly after?: readonly string[];
  /** `name`: creation is conditional and may be repeated; `opaque`: every creation makes another thing. */
  readonly identity: NonNullable<GuardOptions['identity']>;
}

/** Keeps one thing per workspace at the third party; the simplest use of a guard. */
export function thirdParty({ url, name, condition, after = [], identity }: ThirdPartyOptions): Integration {
  const order = async (method: 'POST' | 'DELETE', body: object, signal: AbortSignal): Promise<string> => {
    const answer = await fetch(url, { method, body: JSON.stringify(body), signal });
    if (!answer.ok && answer.status !== 409) throw new Error(`${method} ${condition}: ${answer.status}`);
    return ((await answer.json()) as { readonly key: string }).key;
  };
  return defineIntegration({
    name,
    condition,
    after,
    handles: () => true,
    connect: ({ controller }) => {
      const owner = controller.workspace.metadata.uid ?? '';
      const { status } = controller.condition;
      return {
        async reconcile() {
          if (status === 'Completed' && controller.refs.length > 0) return;
          await controller.guard(
            `making a ${condition}`,
            async ({ key, signal }) => {
              const conditional = identity === 'name';
              const made = await order('POST', { type: condition, owner, key, conditional }, signal);
              return { status: 'Completed', reason: `made ${made}`, refs: [{ key: made }] };
            },
            { op: 'create', identity },
          );
        },
        terminate: () =>
          controller.guard(
            `taking the ${condition} away`,
            async ({ refs, signal }) => {
              const keys = identity === 'name' ? [''] : refs.map(({ key }) => String(key));
              for (const key of keys) await order('DELETE', { type: condition, owner, key }, signal);
              return { status: 'Terminated', reason: 'nothing is there', refs: [] };
            },
            { op: 'delete', identity },
          ),
      };
    },
  });
}
