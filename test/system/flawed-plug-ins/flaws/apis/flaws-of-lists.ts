/** Plug-ins that read lists, and make names and ids, as their authors saw them once. */

import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BoxId, type BoxResource, listed, type Tools, type Wanted, wantedOf } from '../../a-box-plug-in.ts';
import type { Box } from '../../a-box-shop.ts';
import type { Flaw } from '../../flaw.ts';

type Look = { readonly signal: AbortSignal };
type Owner = Parameters<BoxResource['create']>[1]['owner'];
type Context = Parameters<BoxResource['create']>[1];
interface Page {
  readonly items: readonly Box[];
  readonly next?: number;
}

const pageOf = async ({ ask }: Tools, page: number, signal: AbortSignal) =>
  (await (await ask(`/boxes?page=${page}`, { signal })).json()) as Page;

/** Looks for a box by all pages, from the first on, until `isLast` of one. */
const finding = (pages: (page: number) => number, isLast: (page: Page) => boolean) => (tools: Tools) => ({
  async find({ mark }: Owner, { signal }: Look) {
    for (let count = 0; ; count += 1) {
      const page = await pageOf(tools, pages(count), signal);
      if (!Array.isArray(page.items)) throw new Error('no list');
      const box = page.items.find(({ label }) => label === mark);
      if (box !== undefined) return { id: box.id };
      if (isLast(page)) return undefined;
    }
  },
});

/** Puts a mark on boxes that is made of the owner's. */
const markedBy =
  (change: (mark: string) => string) =>
  (tools: Tools, { create }: BoxResource) => ({
    create: (wanted: Wanted, context: Context) =>
      create(wanted, { ...context, owner: { ...context.owner, mark: change(context.owner.mark) } }),
    async find({ mark }: Owner, { signal }: Look) {
      const [box] = await listed(tools, `label=${encodeURIComponent(change(mark))}`, signal);
      return box && { id: box.id };
    },
    async replaceMark({ id }: BoxId, { owner, signal }: Look & { readonly owner: Owner }) {
      await tools.ask(`/boxes/${id}`, { method: 'PATCH', body: { label: change(owner.mark) }, signal });
    },
  });

/** Waits after a creation. */
const waiting =
  (wait: () => Promise<unknown>) =>
  (_: Tools, { create }: BoxResource) => ({
    async create(wanted: Wanted, context: Context) {
      const made = await create(wanted, context);
      await wait();
      return made;
    },
  });

const waits =
  /likely mistake: create waits by setTimeout, which does not end when context\.signal aborts.*: wait by clock\.sleep/;
const otherHost =
  /^find answers undefined for \{"id":1\} once the process runs on another host, with another process id/;
const foreignMark =
  /likely mistake: the mark has the name of the host, the id of the process or what a process has made up/;

/** Flaws in how lists are read, in names, marks and ids. */
export const flawsOfLists: readonly Flaw[] = [
  {
    what: 'find stops at a page with fewer boxes than it expects',
    found: 'find',
    identity: 'tag',
    says: [
      /^find answers undefined, though GET \/boxes\?page=0 was carried out and answered by a page with half as many items/,
      /likely mistake: find: a page with fewer items than others is taken for the last one.*follow the cursor/,
    ],
    resource: finding(
      (count) => count,
      ({ items }) => items.length < 20,
    ),
  },
  {
    what: 'find reads a list by page numbers, from which others remove boxes meanwhile',
    found: 'find',
    identity: 'tag',
    says: [
      /^find answers undefined, though GET \/boxes\?page=0 was carried out and answered by a page, after which all other objects were removed/,
      /likely mistake: find: a list is read by page number or offset: .*Ask by a filter, an id or a cursor/,
    ],
    resource: finding(
      (count) => count,
      ({ next }) => next === undefined,
    ),
  },
  {
    what: 'find asks for the first page each time',
    found: 'find',
    identity: 'tag',
    says: [
      /^it never comes to rest: within a second it repeats GET \/boxes/,
      /likely mistake: find makes the call GET \/boxes\?page=0 25 times.* hand on the cursor that the last answer has named/,
    ],
    resource: finding(
      () => 0,
      ({ next }) => next === undefined,
    ),
  },
  {
    what: 'find knows only boxes that are done',
    found: 'find',
    identity: 'tag',
    shop: { works: 30_000 },
    says: [
      /^find answers nothing for what create has just made: \{"id":1\}/,
      /likely mistake: find has to ask the third party.*whatever its state \(being made, failed\)/,
    ],
    resource: (tools) => ({
      async find({ mark }: Owner, { signal }: Look) {
        for (const { id } of await listed(tools, `label=${encodeURIComponent(mark)}`, signal)) {
          const operation = await tools.ask(`/operations/${id}`, { signal });
          if (((await operation.json()) as { readonly done: boolean }).done) return { id };
        }
        return undefined;
      },
    }),
  },
  {
    what: 'the mark has the name of the host in it',
    found: 'find',
    identity: 'tag',
    says: [otherHost, foreignMark],
    resource: markedBy((mark) => `${mark}@${hostname()}`),
  },
  {
    what: 'the mark has the process id in it',
    found: 'find',
    identity: 'tag',
    says: [otherHost, foreignMark],
    resource: markedBy((mark) => `${mark}#${process.pid}`),
  },
  {
    what: 'namespace, workspace and box are joined by a dash',
    found: 'contended',
    subject: { sameName: 'separate' },
    says: [
      /^two workspaces, elsewhere-subject and its namesake, each of which is Completed where it is alone: .*scenario-elsewhere-subject-a is taken/,
      /likely mistake: each workspace gets its own .*\(not by a dash: a-b of c is a of b-c then\)/,
    ],
    plugIn: (resource) => ({
      connect: ({ workspace: { metadata, spec }, controller }) => ({
        reconcile: () =>
          controller.ensure(
            resource,
            wantedOf(spec).map((one) => ({ ...one, name: `${metadata.namespace}-${metadata.name}-${one.name}` })),
          ),
        terminate: () => controller.destroy(resource),
      }),
    }),
  },
  {
    what: 'create waits by setTimeout until the box is usable',
    found: 'completes',
    says: [/^create waits by setTimeout/, waits],
    resource: waiting(() => new Promise((resolve) => setTimeout(resolve, 20))),
  },
  {
    what: 'create waits by node:timers/promises until the box is usable',
    found: 'completes',
    says: [/^create waits by setTimeout/, waits],
    resource: waiting(() => sleep(20)),
  },
  {
    what: 'create answers a path with "undefined" in it',
    found: 'answers',
    identity: 'tag',
    says: [
      /create answers an id that names nothing, \{"path":"\/boxes\/undefined"\} as JSON/,
      /likely mistake: create answers an id that names nothing.*throw where the id is missing/,
    ],
    resource: ({ ask }, { find, observe, update, delete: remove }) => {
      type Path = { readonly path: string };
      const boxId = ({ path }: Path): BoxId => ({ id: Number(path.split('/').at(-1)) });
      return {
        async create(wanted: Wanted, { owner, signal }: Context) {
          const answer = await ask('/boxes', { method: 'POST', body: { ...wanted, label: owner.mark }, signal });
          const { id } = (await answer.json().catch(() => ({}))) as Partial<BoxId>;
          return { id: { path: `/boxes/${id}` } };
        },
        async find(...args: Parameters<NonNullable<typeof find>>) {
          const found = await find?.(...args);
          return found && { path: `/boxes/${found.id}` };
        },
        observe: (id: Path, context: Context) => observe?.(boxId(id), context),
        update: (id: Path, wanted: Wanted, context: Context) => update?.(boxId(id), wanted, context),
        delete: (id: Path, context: Context) => remove(boxId(id), context),
        replaceMark: undefined,
      };
    },
  },
];
