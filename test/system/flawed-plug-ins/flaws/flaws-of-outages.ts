import { DefiniteError } from '../../../../sdk/index.ts';
import { type BoxId, type BoxResource, listed, type Wanted } from '../a-box-plug-in.ts';
import type { Flaw } from '../flaw.ts';

type Look = { readonly signal: AbortSignal };
type Observe = NonNullable<BoxResource['observe']>;
type Update = NonNullable<BoxResource['update']>;
type ReplaceMark = NonNullable<BoxResource['replaceMark']>;

const forGone = /likely mistake: observe: what could not be read is taken for gone, and another one is made/;
const forNothing = /likely mistake: find: what could not be read is taken for nothing, and another one is made/;
const failed = (name: string) => new RegExp(`failed call: [A-Z]+ /boxes.* in ${name}: .*, by the kit`);
const undone = (name: string) => new RegExp(`likely mistake: ${name}: a call that failed counts as done`);

/** Flaws in what functions make of calls that fail. */
export const flawsOfOutages: readonly Flaw[] = [
  {
    what: 'observe catches every error, and answers that it is gone',
    found: 'outage',
    identity: 'tag',
    says: [/^observe answers undefined, though GET \/boxes\/1 was refused/, forGone],
    resource: (_, { observe }) => ({
      observe: (...args: Parameters<Observe>) => observe?.(...args).catch(() => undefined),
    }),
  },
  {
    what: 'observe takes every status but 200 for gone',
    found: 'outage',
    identity: 'key',
    says: [failed('observe'), forGone],
    resource: ({ send }) => ({
      async observe({ id }: BoxId, { signal }: Look) {
        const answer = await send(`/boxes/${id}`, { signal });
        if (!answer.ok) return undefined;
        const { name, size, colour } = (await answer.json()) as Wanted;
        return { state: { name, size, colour } };
      },
    }),
  },
  {
    what: 'observe takes an aborted request for gone',
    found: 'outage',
    says: [/^observe answers undefined, though GET \/boxes\/1 got no answer until the signal aborted/, forGone],
    resource: (_, { observe }) => ({
      observe: (...args: Parameters<Observe>) =>
        observe?.(...args).catch((error: unknown) => {
          if (args[1].signal.aborted) return undefined;
          throw error;
        }),
    }),
  },
  {
    what: 'find catches every error, and answers that there is none',
    found: 'outage',
    identity: 'tag',
    says: [/^find answers undefined, though GET \/boxes\?label=.* was refused/, forNothing],
    resource: (_, { find }) => ({
      find: (...args: Parameters<NonNullable<typeof find>>) => find?.(...args).catch(() => undefined),
    }),
  },
  {
    what: 'find takes every status but 200 for an empty list',
    found: 'outage',
    identity: 'tag',
    says: [failed('find'), forNothing],
    resource: ({ send }) => ({
      async find({ mark }: { mark: string }, { signal }: Look) {
        const answer = await send(`/boxes?label=${encodeURIComponent(mark)}`, { signal });
        const { items = [] } = (await answer.json()) as { items?: readonly BoxId[] };
        return items[0] && { id: items[0].id };
      },
    }),
  },
  {
    what: 'findAll answers the pages that it has read',
    found: 'outage',
    identity: 'tag',
    says: [/^findAll answers \[\], though GET \/boxes\?prefix=/, /likely mistake: findAll: .* and is left behind/],
    resource: (tools) => ({
      findAll: async ({ mark }: { mark: string }, { signal }: Look) => {
        const boxes = await listed(tools, `prefix=${encodeURIComponent(mark)}`, signal).catch(() => []);
        return boxes.map(({ id, label }) => ({ slot: label.slice(mark.length), id: { id } }));
      },
    }),
  },
  {
    what: 'update does not look at the status of the answer',
    found: 'outage',
    says: [/^update answers undefined, though PATCH \/boxes\/1 was refused/, undone('update')],
    resource: ({ send }) => ({
      async update({ id }: BoxId, { size, colour }: Wanted, { signal }: Look) {
        const answer = await send(`/boxes/${id}`, { method: 'PATCH', body: { size, colour }, signal });
        if (answer.status === 404) throw new DefiniteError('gone');
      },
    }),
  },
  {
    what: 'update continues where its second request fails',
    found: 'outage',
    says: [/^update answers undefined, though PATCH \/boxes\/1 was refused/, undone('update')],
    resource: ({ ask, send }) => ({
      async update({ id }: BoxId, { size, colour }: Wanted, { signal }: Look) {
        await ask(`/boxes/${id}`, { method: 'PATCH', body: { colour }, signal });
        await send(`/boxes/${id}`, { method: 'PATCH', body: { size }, signal });
      },
    }),
  },
  {
    what: 'update logs what goes wrong',
    found: 'outage',
    says: [failed('update'), undone('update')],
    resource: (_, { update }) => ({
      update: (...args: Parameters<Update>) => update?.(...args).catch(() => undefined),
    }),
  },
  {
    what: 'replaceMark takes a failure for done',
    found: 'outage',
    says: [/^replaceMark answers undefined, though PATCH \/boxes\/1 was refused/, undone('replaceMark')],
    resource: (_, { replaceMark }) => ({
      replaceMark: (...args: Parameters<ReplaceMark>) => replaceMark?.(...args).catch(() => undefined),
    }),
  },
  {
    what: 'secretOf answers an empty secret where it cannot read it',
    found: 'outage',
    says: [
      /^secretOf answers, though GET \/boxes\/1 was refused/,
      /likely mistake: secretOf: a secret that could not be read or made is answered all the same/,
    ],
    resource: (tools, { create }) => ({
      create: async (...args: Parameters<typeof create>) => ({
        ...(await create(...args)),
        secret: { pass: 'open-sesame' },
      }),
      async secretOf({ id }: BoxId, { signal }: Look) {
        const box = await tools.ask(`/boxes/${id}`, { signal }).catch(() => undefined);
        return { pass: box === undefined ? '' : 'open-sesame' };
      },
    }),
  },
];
