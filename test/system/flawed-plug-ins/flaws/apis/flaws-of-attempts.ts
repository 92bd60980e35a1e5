/** Plug-ins that call the guard themselves, and cope with one attempt that goes well. */

import {
  type Integration,
  type Outcome,
  type ProviderController,
  requeueAfter,
  type TaskContext,
} from '../../../../../sdk/index.ts';
import { type BoxId, boxOf, listed, type Tools, type Wanted, wantedOf } from '../../a-box-plug-in.ts';
import type { Box } from '../../a-box-shop.ts';
import type { Flaw } from '../../flaw.ts';

type Kept = BoxId & { readonly size: number; readonly colour: string };

/** Arguments of a task beside its context. */
interface Given {
  readonly tools: Tools;
  readonly wanted: Wanted;
  readonly mark: string;
}

type BoxTask = (context: TaskContext, given: Given) => Promise<Outcome>;

interface Hand {
  readonly task: BoxTask;
  readonly recover?: (context: TaskContext, given: Given) => Promise<Outcome | undefined>;
  /** Looks at the box at each walk. @default false */
  readonly looks?: boolean;
  readonly terminate?: (controller: ProviderController) => Promise<void> | undefined;
}

const find = async ({ tools, mark }: Given, signal: AbortSignal): Promise<Box | undefined> =>
  (await listed(tools, `label=${mark}`, signal))[0];

const make = async ({ tools, wanted, mark }: Given, signal: AbortSignal): Promise<BoxId> =>
  (await (await tools.ask('/boxes', { method: 'POST', body: { ...wanted, label: mark }, signal })).json()) as Box;

const paint = ({ tools, wanted: { size, colour } }: Given, { id }: BoxId, signal: AbortSignal) =>
  tools.ask(`/boxes/${id}`, { method: 'PATCH', body: { size, colour }, signal });

const kept = ({ id }: BoxId, { wanted: { size, colour } }: Given): Outcome => ({
  status: 'Completed',
  reason: 'the box is there',
  refs: [{ id, size, colour }],
});

/** A plug-in that calls the guard where the box is not as wanted. */
const byHand =
  ({ task, recover, looks = false, terminate }: Hand) =>
  (_: unknown, tools: Tools): Partial<Integration> => ({
    connect({ workspace, controller }) {
      const mark = workspace.metadata.uid ?? '';
      return {
        async reconcile() {
          const [wanted] = wantedOf(workspace.spec);
          const given: Given = { tools, wanted: wanted!, mark };
          const known = controller.refs.at(-1) as Kept | undefined;
          const isKept = known?.size === wanted?.size && known?.colour === wanted?.colour;
          const isThere = !looks || (known && (await boxOf(tools, known, controller.signal)) !== undefined);
          if (controller.condition.status === 'Completed' && isKept && isThere) return requeueAfter(60_000);
          const found = recover && { recover: (context: TaskContext) => recover(context, given) };
          await controller.guard('keeping a box', (context) => task(context, given), {
            op: 'create',
            ...(found ?? { identity: 'name' }),
          });
          return requeueAfter(60_000);
        },
        async terminate() {
          const own = terminate?.(controller);
          if (own !== undefined) return own;
          await controller.guard(
            'taking the box away',
            async ({ signal, refs }) => {
              const ids = new Set((refs as readonly BoxId[]).map(({ id }) => id));
              for (const { id } of await listed(tools, `label=${mark}`, signal)) ids.add(id);
              for (const id of ids) await tools.ask(`/boxes/${id}`, { method: 'DELETE', signal, expected: 404 });
              return { status: 'Terminated', reason: 'no box is left', refs: [] };
            },
            { op: 'delete', identity: 'name' },
          );
        },
      };
    },
  });

const plain = { drift: undefined as never, sameName: undefined as never };

/** The box that is known or found, or a new one. */
const placed = async (context: TaskContext, given: Given): Promise<BoxId> => {
  const [known] = context.refs as readonly Kept[];
  return known ?? (await find(given, context.signal)) ?? (await make(given, context.signal));
};

const cutShort =
  /likely mistake: a change is recorded as done before it is carried out \(by checkpoint, or in refs\), or is added/;

/** Flaws of plug-ins that call the guard themselves. */
export const flawsOfAttempts: readonly Flaw[] = [
  {
    what: 'recover takes a failed search for nothing',
    found: 'ambiguous',
    identity: 'tag',
    subject: { ...plain, edited: undefined as never },
    says: [
      /^call 1 \(POST \/boxes\) was carried out and its answer lost, and the first search for it failed: .*box 1 .*, box 2/,
      /likely mistake: recover answered undefined though its call GET \/boxes.* had failed: .*let the error out/,
    ],
    plugIn: byHand({
      task: async ({ signal }, given) => kept(await make(given, signal), given),
      async recover({ signal }, given) {
        const found = await find(given, signal).catch(() => undefined);
        return found && kept(found, given);
      },
    }),
  },
  {
    what: 'a task takes a failed search for nothing',
    found: 'ambiguous',
    identity: 'tag',
    subject: { ...plain, edited: undefined as never },
    says: [
      /was carried out and its answer lost, and the first search for it failed: .*box 1 .*, box 2/,
      /likely mistake: the task of a guard made the call POST \/boxes though GET \/boxes.* had failed: .*let the error out/,
    ],
    plugIn: byHand({
      async task({ signal }, given) {
        const found = await find(given, signal).catch(() => undefined);
        return kept(found ?? (await make(given, signal)), given);
      },
    }),
  },
  {
    what: 'a task notes the new size before it is changed',
    found: 'crash',
    identity: 'tag',
    subject: plain,
    says: [
      /^after a change of the spec, crashed after .*, before PATCH \/boxes\/1 was called: it says Completed.*red a of 1\) instead of blue a of 2/,
      cutShort,
    ],
    plugIn: byHand({
      async task(context, given) {
        const { size, colour } = given.wanted;
        const known = (context.refs as readonly Kept[]).at(-1);
        if (known?.size === size && known.colour === colour) return kept(known, given);
        const box = known ?? (await placed(context, given));
        await context.checkpoint({ id: box.id, size, colour });
        await paint(given, box, context.signal);
        return kept(box, given);
      },
    }),
  },
  {
    what: 'a task adds the difference of two sizes',
    found: 'ambiguous',
    identity: 'tag',
    subject: plain,
    says: [
      /^after a change of the spec, call \d+ \(POST \/boxes\/1\/grow\) was carried out and its answer lost: .*blue a of 3\) instead of blue a of 2/,
      cutShort,
    ],
    plugIn: byHand({
      async task(context, given) {
        const { signal } = context;
        const [known] = context.refs as readonly Kept[];
        const box = await placed(context, given);
        if (known !== undefined) {
          const by = given.wanted.size - known.size;
          await given.tools.ask(`/boxes/${box.id}/grow`, { method: 'POST', body: { by }, signal });
          await given.tools.ask(`/boxes/${box.id}`, { method: 'PATCH', body: { colour: given.wanted.colour }, signal });
        }
        return kept(box, given);
      },
    }),
  },
  {
    what: 'a task takes 404 of a change for done',
    found: 'fixes',
    identity: 'tag',
    subject: { sameName: undefined as never },
    says: [
      /^after a change outside the third party has nothing instead of red a of 1/,
      /likely mistake: the task of a guard answers though PATCH \/boxes\/1 said HTTP 404: .*make it anew/,
    ],
    plugIn: byHand({
      looks: true,
      async task(context, given) {
        const box = await placed(context, given);
        const { size, colour } = given.wanted;
        const how = { method: 'PATCH', body: { size, colour }, signal: context.signal, expected: 404 } as const;
        await given.tools.ask(`/boxes/${box.id}`, how);
        return kept(box, given);
      },
    }),
  },
  {
    what: 'reconcile does nothing once its condition is Error',
    found: 'reports',
    says: [
      /nothing was asked since the third party refuses nothing any more/,
      /likely mistake: reconcile does nothing once its condition is Error: .*call ensure or guard/,
    ],
    plugIn: (resource) => ({
      connect: ({ workspace, controller }) => ({
        reconcile: async () =>
          controller.condition.status === 'Error' ? undefined : controller.ensure(resource, wantedOf(workspace.spec)),
        terminate: () => controller.destroy(resource),
      }),
    }),
  },
  {
    what: 'terminate says that nothing was made where nothing is known',
    found: 'ambiguous',
    identity: 'tag',
    says: [
      /and the workspace deleted at once: the workspace was never gone: Deleting, Locked/,
      /likely mistake: terminate does not take up an attempt whose outcome is not known, which guard, ensure and destroy do/,
    ],
    plugIn: (resource) => ({
      connect: ({ workspace, controller }) => ({
        reconcile: () => controller.ensure(resource, wantedOf(workspace.spec)),
        terminate: async () =>
          controller.refs.length > 0
            ? controller.destroy(resource)
            : controller.updateCondition('Terminated', 'nothing was made'),
      }),
    }),
  },
  {
    what: 'a name has the time of creation of its workspace in it',
    found: 'restored',
    identity: 'tag',
    says: [
      /after a restore, find answers undefined for .*Boxes\/a-\d+ instead of/,
      /likely mistake: replaceMark .*A name with the uid of the workspace or the time of its creation in it is another one after a restore/,
    ],
    plugIn: (resource) => ({
      connect: ({ workspace: { metadata, spec }, controller }) => ({
        reconcile: () =>
          controller.ensure(
            resource,
            wantedOf(spec).map((one) => ({ ...one, name: `${one.name}-${Date.parse(metadata.creationTimestamp!)}` })),
          ),
        terminate: () => controller.destroy(resource),
      }),
    }),
  },
];
