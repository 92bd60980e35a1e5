import { type BoxId, type BoxResource, boxOf, type Wanted } from '../a-box-plug-in.ts';
import type { Box } from '../a-box-shop.ts';
import type { Flaw } from '../flaw.ts';

type Look = { readonly signal: AbortSignal };

const _conditional = /likely mistake: with identity name creating is conditional: throw ExternalAlreadyExistsError/;
const everyMember = /likely mistake: update has to make each member as wanted, however often it is asked/;
const ownAndGone = /likely mistake: delete removes by the id, and only what is ours; it answers once that is gone/;

const flawsOfUpdate: readonly Flaw[] = [
  {
    what: 'update does nothing',
    found: 'update',
    says: [/^update leaves size as it was, and answers/, everyMember],
    resource: () => ({ update: async () => undefined }),
  },
  {
    what: 'the name of a box has its size in it, so that update is never called',
    found: 'update',
    says: [
      /^update is never asked for anything else: edited wants nothing else of the object "a-1-red"/,
      /likely mistake: nameOf answers another name when a member changes/,
    ],
    resource: () => ({ nameOf: ({ name, size, colour }: Wanted) => `${name}-${size}-${colour}` }),
  },
  {
    what: 'update forgets a member',
    found: 'follows',
    says: [
      /^after a change of the spec \(integrations\.boxes\.a\.colour\) the third party has box 1 \(red a of 1\) instead of blue a of 1/,
      /update does not carry every member/,
    ],
    subject: { drift: undefined as never },
    resource: ({ ask }) => ({
      driftInterval: undefined,
      update: async ({ id }: BoxId, { size }: Wanted, { signal }: Look) =>
        void (await ask(`/boxes/${id}`, { method: 'PATCH', body: { size }, signal })),
    }),
  },
  {
    what: 'update takes 404 for success',
    found: 'update',
    says: [/^update answers for an object that is gone, as if it had been changed/, everyMember],
    resource: ({ ask }) => ({
      update: async ({ id }: BoxId, { size, colour }: Wanted, { signal }: Look) =>
        void (await ask(`/boxes/${id}`, { method: 'PATCH', body: { size, colour }, signal, expected: 404 })),
    }),
  },
  {
    what: 'update adds to what is there',
    found: 'update',
    says: [/^updated twice with the same, the third party has box 1 \(red a of 3\)/, everyMember],
    resource: ({ ask }) => ({
      async update({ id }: BoxId, { size, colour }: Wanted, { signal }: Look) {
        await ask(`/boxes/${id}`, { method: 'PATCH', body: { colour }, signal });
        await ask(`/boxes/${id}/grow`, { method: 'POST', body: { by: size - 1 }, signal });
      },
    }),
  },
];

const flawsOfDelete: readonly Flaw[] = [
  {
    what: 'delete leaves what was changed outside',
    found: 'fixes',
    painted: true,
    says: [
      /^deleted after a change outside, box 1 \(grey a of 1\) is left/,
      /likely mistake: delete goes by the id, and by the mark where it looks/,
    ],
    resource: (tools, right) => ({
      async delete(id: BoxId, context: Parameters<BoxResource['delete']>[1]) {
        const box = await boxOf(tools, id, context.signal);
        return box === undefined || box.colour === 'grey' ? 'gone' : right.delete(id, context);
      },
    }),
  },
  {
    what: 'delete throws for what is not there',
    found: 'delete',
    says: [
      /^delete throws "DELETE \/boxes\/1: HTTP 404" for an object that is not there any more/,
      /likely mistake: delete: what is not there counts as deleted/,
    ],
    resource: ({ ask }) => ({
      delete: async ({ id }: BoxId, { signal }: Look) => void (await ask(`/boxes/${id}`, { method: 'DELETE', signal })),
    }),
  },
  {
    what: 'delete answers before it is gone',
    found: 'cleans',
    shop: { goes: 30_000 },
    says: [
      /^leaked: box 1 \(red a of 1\) is still there after the workspace is gone/,
      /likely mistake: something is not removed: .*"deleting" until then/,
    ],
    resource: ({ ask }) => ({
      delete: async ({ id }: BoxId, { signal }: Look) =>
        void (await ask(`/boxes/${id}`, { method: 'DELETE', signal, expected: 404 })),
    }),
  },
  {
    what: 'delete removes what has the name by now',
    found: 'delete',
    says: [/^delete of \{"id":1\}, which is gone, removes what another workspace has made since/, ownAndGone],
    resource: ({ ask }) => ({
      async delete(_: BoxId, { signal, owner }: Parameters<BoxResource['delete']>[1]) {
        const found = (await (await ask(`/boxes?name=${owner.slot}`, { signal })).json()) as { items: Box[] };
        for (const { id } of found.items) await ask(`/boxes/${id}`, { method: 'DELETE', signal, expected: 404 });
      },
    }),
  },
  {
    what: 'delete swallows what goes wrong',
    found: 'reports',
    says: [
      /^its removal was refused, and the workspace went all the same: box 1 \(red a of 1\) leaked/,
      /likely mistake: a removal that failed counts as one/,
    ],
    resource: (_, right) => ({
      delete: (...args: Parameters<BoxResource['delete']>) => right.delete(...args).catch(() => undefined),
    }),
  },
  {
    what: 'delete answers "deleting" for ever',
    found: 'delete',
    says: [
      /^delete answers "deleting" for ever/,
      /likely mistake: answer "deleting" only while the object is still there/,
    ],
    resource: (_, right) => ({
      async delete(...args: Parameters<BoxResource['delete']>) {
        await right.delete(...args);
        return 'deleting';
      },
    }),
  },
];

/** Flaws in update and delete. */
export const flawsOfChanges: readonly Flaw[] = [...flawsOfUpdate, ...flawsOfDelete];
