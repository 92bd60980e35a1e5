import { DefiniteError } from '../../../../sdk/index.ts';
import type { BoxResource, Wanted } from '../a-box-plug-in.ts';
import type { Box } from '../a-box-shop.ts';
import type { Flaw } from '../flaw.ts';

type Create = BoxResource['create'];

const conditional = /likely mistake: with identity name creating is conditional: throw ExternalAlreadyExistsError/;
const anotherKey =
  /likely mistake: pass context\.key on as it is, whole: each attempt that may make something has its own/;
/** Flaws in create. */
export const flawsOfCreate: readonly Flaw[] = [
  {
    what: 'create takes what is there for its own',
    found: 'create',
    says: [
      /^created for another workspace that wants the same, it answers \{"id":1\}, and nothing is made/,
      conditional,
    ],
    resource: ({ ask }) => ({
      async create(wanted: Wanted, { owner, signal }: Parameters<Create>[1]) {
        const body = { ...wanted, label: owner.mark };
        const answer = await ask('/boxes', { method: 'POST', body, signal, expected: 409 });
        return { id: { id: ((await answer.json()) as Box).id } };
      },
    }),
  },
  {
    what: 'create takes a name over',
    found: 'contended',
    says: [
      /^two workspaces want the same name, and both say that they have it|^while two workspaces/,
      /likely mistake: an object is taken for ours by its name alone/,
    ],
    resource: ({ ask }, { create }) => ({
      async create(wanted: Wanted, context: Parameters<Create>[1]) {
        const { signal, owner } = context;
        const found = (await (await ask(`/boxes?name=${wanted.name}`, { signal })).json()) as { items: Box[] };
        const [there] = found.items;
        if (there === undefined) return create(wanted, context);
        await ask(`/boxes/${there.id}`, { method: 'PATCH', body: { ...wanted, label: owner.mark }, signal });
        return { id: { id: there.id } };
      },
    }),
  },
  {
    what: 'create says that a name is taken by any error',
    found: 'create',
    says: [/^created again with the same name, it throws "a is taken" and no ExternalAlreadyExistsError/, conditional],
    resource: (_, { create }) => ({
      create: (...args: Parameters<Create>) =>
        create(...args).catch((error: Error) => {
          throw error.name === 'ExternalAlreadyExistsError' ? new DefiniteError(error.message) : error;
        }),
    }),
  },
  {
    what: 'create tries again by itself',
    found: 'ambiguous',
    identity: 'tag',
    says: [
      /and its answer lost: .*box 1 \(red a of 1\), box 2 \(red a of 1\)/,
      /a creation was sent again without knowing what became of the first one/,
    ],
    resource: (_, { create }) => ({
      create: (...args: Parameters<Create>) => create(...args).catch(() => create(...args)),
    }),
  },
  {
    what: 'create does not hand on its key',
    found: 'create',
    identity: 'key',
    says: [/^created again with the same key, the third party has box 1 .*, box 2/, /With key pass on context\.key/],
    resource: (_, { create }) => ({
      create: (wanted: Wanted, context: Parameters<Create>[1]) =>
        create(wanted, { ...context, key: `${Math.floor(context.owner.uid.length + performance.now() * 1000)}` }),
    }),
  },
  {
    what: 'the key that is sent is the mark of the box',
    found: 'create',
    identity: 'key',
    says: [
      /^created again with another key once it was removed, it answers \{"id":\d+\}, and nothing is made/,
      anotherKey,
    ],
    resource: (_, { create }) => ({
      create: (wanted: Wanted, context: Parameters<Create>[1]) =>
        create(wanted, { ...context, key: context.owner.mark }),
    }),
  },
  {
    what: 'the key that is sent is the uid of the workspace',
    found: 'create',
    identity: 'key',
    says: [
      /^created with another key and another name, it answers \{"id":1\}, which is the id of the first/,
      anotherKey,
    ],
    resource: (_, { create }) => ({
      create: (wanted: Wanted, context: Parameters<Create>[1]) =>
        create(wanted, { ...context, key: context.owner.uid }),
    }),
  },
  {
    what: 'create marks in a second request',
    found: 'crash',
    identity: 'tag',
    says: [
      /^crashed after POST \/boxes answered, before PATCH \/boxes\/1 was called: .*box 1/,
      /with tag its mark has to be in the same request/,
    ],
    resource: ({ ask }) => ({
      async create(wanted: Wanted, { owner, signal }: Parameters<Create>[1]) {
        const { id } = (await (await ask('/boxes', { method: 'POST', body: wanted, signal })).json()) as Box;
        await ask(`/boxes/${id}`, { method: 'PATCH', body: { label: owner.mark }, signal });
        return { id: { id } };
      },
    }),
  },
  {
    what: 'create ignores the answer’s status',
    found: 'reports',
    says: [
      /^everything is refused, and the condition is not Error/,
      /likely mistake: a refused call counts as success: look at the status of each answer/,
    ],
    subject: { drift: undefined as never },
    resource: ({ send }) => ({
      driftInterval: undefined,
      async create(wanted: Wanted, { owner, signal }: Parameters<Create>[1]) {
        const answer = await send('/boxes', { method: 'POST', body: { ...wanted, label: owner.mark }, signal });
        return { id: { id: ((await answer.json()) as Partial<Box>).id ?? 0 } };
      },
    }),
  },
  {
    what: 'create answers an id with a date in it',
    found: 'completes',
    says: [
      /^create answers an id whose id\.since is not plain JSON/,
      /likely mistake: .*another process reads it from the journal/,
    ],
    resource: (_, { create }) => ({
      async create(...args: Parameters<Create>) {
        const { id } = await create(...args);
        return { id: { ...id, since: new Date(0) } };
      },
    }),
  },
  {
    what: 'create changes what is wanted',
    found: 'completes',
    says: [/^create changes what it is handed/, /likely mistake: .*copy it first/],
    resource: (_, { create }) => ({
      create(wanted: { name?: string }, context: Parameters<Create>[1]) {
        const copy = { ...wanted };
        delete wanted.name;
        return create(copy as Wanted, context);
      },
    }),
  },
  {
    what: 'create waits for what never comes',
    found: 'completes',
    says: [
      /^it never was Completed: (Locked|Unknown)/,
      /likely mistake: create has not settled, and no call of it is under way: what it waits for has to end when context\.signal aborts/,
    ],
    subject: { limits: { settle: 120_000 } },
    resource: () => ({ create: () => new Promise(() => {}) }),
  },
  {
    what: 'create gives a secret that cannot be had again',
    found: 'ambiguous',
    says: [
      /Secret subject-boxes-a is missing: what it holds was lost with an answer/,
      /likely mistake: the resource cannot give its secret again: see secretOf/,
    ],
    resource: (_, { create }) => ({
      create: async (...args: Parameters<Create>) => ({ ...(await create(...args)), secret: { pass: 'open-sesame' } }),
    }),
  },
];
