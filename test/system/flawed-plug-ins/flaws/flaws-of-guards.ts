import type { Integration, ProviderController } from '../../../../sdk/index.ts';
import { type BoxId, type Tools, type Wanted, wantedOf } from '../a-box-plug-in.ts';
import type { Box } from '../a-box-shop.ts';
import type { Flaw } from '../flaw.ts';

/** A plug-in that calls the guard itself. */
const guarded = (
  reconcile: (controller: ProviderController, wanted: readonly Wanted[]) => Promise<unknown>,
  terminate: (controller: ProviderController) => Promise<unknown>,
): Partial<Integration> => ({
  connect: ({ workspace, controller }) => ({
    reconcile: async () => void (await reconcile(controller, wantedOf(workspace.spec))),
    terminate: async () => void (await terminate(controller)),
  }),
});

const add = async (
  { ask }: Tools,
  { uid = '' }: { uid?: string | undefined },
  [wanted, signal]: readonly [Wanted, AbortSignal],
) => {
  const answer = await ask('/boxes', { method: 'POST', body: { ...wanted, label: uid }, signal });
  return { id: ((await answer.json()) as Box).id };
};

const removeAll =
  ({ ask }: Tools) =>
  (controller: ProviderController): Promise<void> =>
    controller.guard(
      'taking boxes away',
      async ({ signal, refs }) => {
        for (const { id } of refs as readonly BoxId[])
          await ask(`/boxes/${id}`, { method: 'DELETE', signal, expected: 404 });
        return { status: 'Terminated', reason: 'no box is left', refs: [] };
      },
      { op: 'delete', identity: 'name' },
    );

const two = { integrations: { boxes: { a: { size: 1, colour: 'red' }, b: { size: 1, colour: 'red' } } } };
const plain = { drift: undefined as never, sameName: undefined as never, edited: undefined as never };

/** Flaws of plug-ins that call the guard themselves, and of their connections. */
export const flawsOfGuards: readonly Flaw[] = [
  {
    what: 'reconcile makes a box outside of every guard',
    found: 'completes',
    says: [
      /^reconcile, outside of every guard, changed what exists at the third party by POST \/boxes/,
      /only create, update, delete and the task of a guard may/,
    ],
    plugIn: (_, tools) =>
      guarded(async (controller, [wanted]) => {
        if (controller.condition.status === 'Completed') return;
        const { id } = await add(tools, controller.workspace.metadata, [wanted!, controller.signal]);
        await controller.guard('noting', async () => ({ status: 'Completed', reason: 'made', refs: [{ id }] }), {
          identity: 'name',
        });
      }, removeAll(tools)),
  },
  {
    what: 'a task makes two boxes and keeps no id before the second',
    found: 'crash',
    identity: 'tag',
    subject: { ...plain, spec: two, identity: 'opaque' },
    says: [
      /crashed after POST \/boxes answered, before POST \/boxes was called: .*leaked/,
      /likely mistake: .*the ids that a task hands to checkpoint/,
    ],
    plugIn: (_, tools) =>
      guarded(
        (controller, wanted) =>
          controller.condition.status === 'Completed'
            ? Promise.resolve()
            : controller.guard(
                'making boxes',
                async ({ signal }) => {
                  const refs: BoxId[] = [];
                  for (const one of wanted) refs.push(await add(tools, controller.workspace.metadata, [one, signal]));
                  return { status: 'Completed', reason: 'made', refs };
                },
                { op: 'create', identity: 'name' },
              ),
        removeAll(tools),
      ),
  },
  {
    what: 'recover always says that nothing was made',
    found: 'ambiguous',
    identity: 'tag',
    subject: plain,
    says: [
      carriedOutTwice(),
      /case: ambiguous\n {2}likely mistake: recover answered undefined for what POST \/boxes had made, whose answer was lost/,
    ],
    plugIn: (_, tools) =>
      guarded(
        (controller, [wanted]) =>
          controller.condition.status === 'Completed'
            ? Promise.resolve()
            : controller.guard(
                'making a box',
                async ({ signal }) => {
                  const id = await add(tools, controller.workspace.metadata, [wanted!, signal]);
                  return { status: 'Completed', reason: 'made', refs: [id] };
                },
                { op: 'create', recover: async () => undefined },
              ),
        removeAll(tools),
      ),
  },
  {
    what: 'a task says Completed though its call failed',
    found: 'definite',
    subject: plain,
    says: [
      /^call 1 \(POST \/boxes\) was refused: the third party has nothing instead of red a of 1/,
      /likely mistake: a failed call counts as success/,
    ],
    plugIn: (_, tools) =>
      guarded(
        (controller, [wanted]) =>
          controller.condition.status === 'Completed'
            ? Promise.resolve()
            : controller.guard(
                'making a box',
                async ({ signal }) => {
                  const made = await add(tools, controller.workspace.metadata, [wanted!, signal]).catch(
                    () => undefined,
                  );
                  return { status: 'Completed', reason: 'made', refs: made ? [made] : [] };
                },
                { op: 'create', identity: 'name' },
              ),
        removeAll(tools),
      ),
  },
  {
    what: 'reconcile does not say when to come back',
    found: 'completes',
    subject: { ...plain, limits: { settle: 60_000 } },
    says: [
      /^it never was Completed: In Progress: on its way/,
      /likely mistake: its condition is In Progress, and its last turn did not say when to come back: return requeueAfter/,
    ],
    plugIn: (_, tools) =>
      guarded(async (controller, [wanted]) => {
        if (controller.refs.length > 0) return;
        await controller.guard(
          'making a box',
          async ({ signal }) => {
            const id = await add(tools, controller.workspace.metadata, [wanted!, signal]);
            return { status: 'In Progress', reason: 'on its way', refs: [id] };
          },
          { op: 'create', identity: 'name' },
        );
      }, removeAll(tools)),
  },
  {
    what: 'terminate removes the first of two only',
    found: 'cleans',
    subject: { ...plain, spec: two },
    says: [
      /^leaked: box 2 \(red b of 1\) is still there/,
      /likely mistake: something is not removed: delete, or the task of terminate/,
    ],
    plugIn: (resource, { ask }) => ({
      connect: ({ workspace, controller }) => ({
        reconcile: () => controller.ensure(resource, wantedOf(workspace.spec)),
        terminate: () =>
          controller.guard(
            'removing',
            async ({ signal, refs }) => {
              const [first] = refs as unknown as readonly { id: BoxId }[];
              await ask(`/boxes/${first?.id.id}`, { method: 'DELETE', signal, expected: 404 });
              return { status: 'Terminated', reason: 'gone', refs: [] };
            },
            { op: 'delete', identity: 'name' },
          ),
      }),
    }),
  },
  {
    what: 'terminate only says that it is over',
    found: 'cleans',
    subject: { ...plain, limits: { settle: 60_000 } },
    says: [
      /^(the workspace was never gone|leaked)/,
      /likely mistake: (terminate threw .*: the controller refuses that, and the message says what it takes|something is not removed)/,
    ],
    plugIn: (resource) => ({
      connect: ({ workspace, controller }) => ({
        reconcile: () => controller.ensure(resource, wantedOf(workspace.spec)),
        terminate: () => controller.updateCondition('Terminated', 'over'),
      }),
    }),
  },
  {
    what: 'it writes the condition of another',
    found: 'completes',
    says: [
      /^it never was Completed: Error: .*the recipe must not change condition DNS, which is not its integration’s/,
      /likely mistake: reconcile threw .*not its integration’s": the controller refuses that, and the message says what it takes/,
    ],
    plugIn: (resource) => ({
      connect: ({ workspace, controller }) => ({
        async reconcile() {
          const result = await controller.ensure(resource, wantedOf(workspace.spec));
          if (workspace.status?.conditions?.some(({ type }) => type === 'DNS')) return result;
          await controller.update((status) => {
            status.conditions = [
              ...(status.conditions ?? []),
              {
                type: 'DNS',
                status: 'Completed',
                reason: 'boxes have it',
                lastTransitionTime: '2026-01-01T00:00:00Z',
              } as never,
            ];
          });
          return result;
        },
        terminate: () => controller.destroy(resource),
      }),
    }),
  },
];

function carriedOutTwice(): RegExp {
  return /and its answer lost: .*box 1 \(red a of 1\), box 2 \(red a of 1\) instead of red a of 1/;
}
