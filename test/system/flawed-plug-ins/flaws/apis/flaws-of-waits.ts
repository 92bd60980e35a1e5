import type { CaseName } from '../../../../compliance/index.ts';
import { type BoxId, type BoxResource, boxOf, type Tools, type Wanted } from '../../a-box-plug-in.ts';
import type { Flaw } from '../../flaw.ts';

type Context = Parameters<BoxResource['create']>[1];

/** Makes a box, and asks for its operation until that is done. */
const createPolling =
  (pause: number) =>
  ({ ask, clock }: Tools, { create }: BoxResource) => ({
    async create(wanted: Wanted, context: Context) {
      const made = await create(wanted, context);
      for (;;) {
        const answer = await ask(`/operations/${made.id.id}`, { signal: context.signal });
        const { done } = (await answer.json()) as { readonly done: boolean };
        if (done) return made;
        if (pause > 0) await clock.sleep(pause, context.signal);
      }
    },
  });

const operationPolls = (times: string) =>
  new RegExp(`create makes the call GET /operations/1 25 times and more, within ${times} ms`);
const notWithin = /likely mistake: .* Do not wait within a function: create answers ready: false/;

/** Flaws of a look that never settles, as each of these cases reports them. */
const unsettled = (['fixes', 'copied', 'forged', 'restored'] as const satisfies readonly CaseName[]).map(
  (found): Flaw => ({
    what: `observe never settles, seen by ${found}`,
    found,
    identity: 'tag',
    says: [
      /^\S/,
      new RegExp(`case: ${found}\\n {2}likely mistake: observe has not settled, and no call of it is under way`),
    ],
    resource: () => ({ observe: () => new Promise(() => {}) }),
  }),
);

/** Flaws of functions that wait for what takes long. */
export const flawsOfWaits: readonly Flaw[] = [
  ...unsettled,
  {
    what: 'create polls an operation for an hour',
    found: 'completes',
    identity: 'tag',
    shop: { works: 3_600_000 },
    says: [operationPolls('24000'), notWithin],
    resource: createPolling(1_000),
  },
  {
    what: 'create polls an operation without a pause between two calls',
    found: 'completes',
    identity: 'tag',
    shop: { works: 3_000 },
    says: [operationPolls('0'), notWithin],
    resource: createPolling(0),
  },
  {
    what: 'delete polls without a pause until it is gone',
    found: 'cleans',
    identity: 'tag',
    shop: { goes: 30_000 },
    says: [/delete makes the call GET \/boxes\/1 25 times and more, within 0 ms/, notWithin],
    resource: (tools) => ({
      async delete(id: BoxId, { signal }: Context) {
        await tools.ask(`/boxes/${id.id}`, { method: 'DELETE', signal, expected: 404 });
        for (;;) if ((await boxOf(tools, id, signal)) === undefined) return 'gone';
      },
    }),
  },
];
