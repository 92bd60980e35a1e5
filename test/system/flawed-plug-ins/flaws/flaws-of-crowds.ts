import { type BoxId, type BoxResource, listed, type Tools, type Wanted } from '../a-box-plug-in.ts';
import type { Box } from '../a-box-shop.ts';
import type { Flaw } from '../flaw.ts';

type Look = { readonly signal: AbortSignal };
type Update = NonNullable<BoxResource['update']>;
type Delete = BoxResource['delete'];

async function firstPage({ ask }: Tools, signal: AbortSignal): Promise<readonly Box[]> {
  const { items } = (await (await ask('/boxes', { signal })).json()) as { items: readonly Box[] };
  return items;
}

const stateOf = (box: Box | undefined) => box && { state: { name: box.name, size: box.size, colour: box.colour } };

const observeOnFirstPage = (tools: Tools) => ({
  observe: async ({ id }: BoxId, { signal }: Look) =>
    stateOf((await firstPage(tools, signal)).find((box) => box.id === id)),
});

const deleteOnFirstPage = (tools: Tools, { delete: remove }: BoxResource) => ({
  async delete(id: BoxId, context: Parameters<Delete>[1]) {
    const boxes = await firstPage(tools, context.signal);
    return boxes.some((box) => box.id === id.id) ? remove(id, context) : 'gone';
  },
});

const allPages = (name: string) =>
  new RegExp(`likely mistake: ${name}: ask for the one object by its id; .* read all pages of the list`);
const unseen = /^among 120 objects of others, observe answers undefined for \{"id":\d+\}, which is there/;
const notGone = /^among 120 objects of others, delete of \{"id":\d+\} answers as if it were gone/;
const byId = /likely mistake: (update|observe) (changes|has to look at) the object of that id/;
const undrifted = { drift: undefined as never };

/** Flaws that show among many boxes, or among boxes of one name. */
export const flawsOfCrowds: readonly Flaw[] = [
  {
    what: 'observe reads the first page of a list only',
    found: 'find',
    identity: 'tag',
    says: [unseen, allPages('observe')],
    resource: observeOnFirstPage,
  },
  {
    what: 'observe reads the first page of a list only, and nothing is found by a mark',
    found: 'observe',
    identity: 'key',
    says: [unseen, allPages('observe')],
    resource: observeOnFirstPage,
  },
  {
    what: 'delete looks for it on the first page of a list only',
    found: 'find',
    identity: 'tag',
    says: [notGone, allPages('delete')],
    resource: deleteOnFirstPage,
  },
  {
    what: 'delete looks for it on the first page of a list only, and nothing is found by a mark',
    found: 'observe',
    identity: 'key',
    says: [notGone, allPages('delete')],
    resource: deleteOnFirstPage,
  },
  {
    what: 'observe looks at what has the name',
    found: 'observe',
    subject: undrifted,
    says: [/^observe answers \{.*\} for \{"id":1\}, which is gone: that is \{"id":\d+\}, which another/, byId],
    resource: (tools) => ({
      observe: async (_: BoxId, { owner, signal }: Parameters<Delete>[1]) =>
        stateOf((await listed(tools, `name=${owner.slot}`, signal))[0]),
    }),
  },
  {
    what: 'update changes what has the name',
    found: 'update',
    says: [/^update of \{"id":1\}, which is gone, changes what another workspace has made since/, byId],
    resource: (tools) => ({
      async update(_: BoxId, { name, size, colour }: Wanted, { signal }: Parameters<Update>[2]) {
        const [box] = await listed(tools, `name=${name}`, signal);
        await tools.ask(`/boxes/${box?.id}`, { method: 'PATCH', body: { size, colour }, signal });
      },
    }),
  },
  {
    what: 'update makes what is gone again, by another id',
    found: 'update',
    identity: 'key',
    says: [
      /^update makes an object that is gone again, by another id: the third party has box/,
      /likely mistake: update has to .* throw where there is nothing to change/,
    ],
    resource: ({ ask }) => ({
      async update({ id }: BoxId, wanted: Wanted, { owner, signal }: Parameters<Update>[2]) {
        const answer = await ask(`/boxes/${id}`, { method: 'PATCH', body: wanted, signal, expected: 404 });
        const body = { ...wanted, label: owner.mark };
        if (answer.status === 404) await ask('/boxes', { method: 'POST', body, signal });
      },
    }),
  },
];
