/** Part of an environment that is there, and gone, when a test says so. */

import { defineIntegration, type Integration } from '../../../../sdk/index.ts';

/** Part with what the test has said. */
export interface SlowPart {
  readonly integration: Integration;
  /** State that it reaches when it is next called. */
  state: 'on its way' | 'there' | 'failed' | 'gone';
}

/** Makes one, for every workspace. */
export function aSlowPart(): SlowPart {
  const part: SlowPart = {
    state: 'on its way',
    integration: defineIntegration({
      name: 'part',
      condition: 'Part',
      handles: () => true,
      connect: ({ controller }) => ({
        async reconcile() {
          const status = { 'on its way': 'In Progress', there: 'Completed', failed: 'Error', gone: 'Waiting' } as const;
          if (part.state === 'there' && controller.refs.length === 0)
            await controller.guard('making the part', async () => ({
              status: 'Completed',
              reason: 'it is there',
              refs: [{ id: 'part' }],
            }));
          else await controller.updateCondition(status[part.state], `it is ${part.state}`);
        },
        async terminate() {
          if (part.state !== 'gone') return controller.updateCondition('In Progress', 'it is going');
          await controller.guard(
            'taking the part away',
            async () => ({ status: 'Terminated', reason: 'gone', refs: [] }),
            {
              op: 'delete',
              identity: 'name',
            },
          );
        },
      }),
    }),
  };
  return part;
}
