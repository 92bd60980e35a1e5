import test from 'ava';
import { DefiniteError, ThrottledError } from '../../../../sdk/index.ts';
import type { CaseName, Subject } from '../../../compliance/index.ts';
import { aThirdParty, boxKeeper } from '../../sdk/provider/a-third-party.ts';
import { bookKeeper, token } from './a-book-keeper.ts';
import { aShelf } from './a-shelf.ts';
import { verdictOf } from './verdict.ts';

/** Flaws that the case of workspaces with the same name would find as well. */
const blurred: ReadonlySet<CaseName> = new Set(['completes', 'unreconciled', 'reports', 'crash']);

/** Cases of many lives, and those of resources, which the plug-in does not have: a flaw is checked against its own case and all that accept one. */
const sweeps: readonly CaseName[] = [
  ...([
    'definite',
    'ambiguous',
    'throttled',
    'signal',
    'crash',
    'memory',
    'covers',
    'copied',
    'forged',
    'restored',
  ] as const),
  ...(['find', 'observe', 'create', 'update', 'delete'] as const),
];
const elsewhere = 'it is not what this flaw is about';

const subjectWith = (flaw?: CaseName): Subject => ({
  identity: 'name',
  spec: { integrations: { shelf: { title: 'Emma' } } },
  edited: { integrations: { shelf: { title: 'Persuasion' } } },
  secrets: [token],
  failures: {
    definite: () => new DefiniteError('no'),
    ambiguous: () => new Error('reset'),
    throttled: () => new ThrottledError('slow down', 2_000),
  },
  ...(flaw === 'marks' && { target: 'cluster' }),
  ...((flaw === undefined || flaw === 'fixes') && { drift: 'fixed' }),
  ...(flaw !== undefined && {
    cannot: Object.fromEntries(sweeps.filter((name) => name !== flaw).map((name) => [name, elsewhere])),
  }),
  ...(flaw !== undefined && blurred.has(flaw) ? {} : { sameName: 'exclusive' }),
  start(host) {
    const shelf = aShelf();
    return {
      integration: ({ through }) => bookKeeper({ shelf: through(shelf), host, flaw }),
      causeDrift: () => void shelf.books.pop(),
      remote: () =>
        shelf.books.map(({ id, title, stamped }) => ({ id, what: `${title}${stamped ? ', stamped' : ''}` })),
    };
  },
});

test.serial('a plug-in without a flaw passes', async (t) => {
  t.deepEqual(await verdictOf(subjectWith()), {});
});

/** Each flaw: the one case that finds it, and its message. */
const found: Readonly<Partial<Record<CaseName, readonly [title: string, message: RegExp]>>> = {
  completes: ['brings its condition to Completed', /^Completed, but nothing exists at the third party/],
  once: [
    'changes nothing when walked again, nor by a fresh sequencer',
    /^walked again, it writes though nothing has changed/,
  ],
  follows: [
    'changes with the spec',
    /^after a change of the spec the third party has book-1 \(Emma, stamped\) instead of Persuasion, stamped$/m,
  ],
  unreconciled: [
    'terminates though it never reconciled',
    /^the finalizer was never removed: .*no book is known; annotate policy/m,
  ],
  reports: [
    'reports a third party that refuses, lets nothing go meanwhile, and continues when it is over',
    /^everything is refused, and the condition is not Error: Waiting: wait\n[\s\S]*throw DefiniteError for it/,
  ],
  definite: [
    'recovers from the refusal of any one call',
    /^call 2 \(stamp\) was refused: .*the third party has book-1 \(Emma\) instead of Emma, stamped$/m,
  ],
  ambiguous: [
    'makes nothing twice and loses nothing when any one call or its answer is lost',
    /call 1 \(keep\) was carried out and its answer lost: .*the third party has book-1 \(Emma\), book-2 \(Emma, stamped\) instead of Emma, stamped/,
  ],
  throttled: [
    'waits for a third party that throttles',
    /^the third party throttles, and the condition is not Waiting: Error: slow down\n[\s\S]*throw ThrottledError/,
  ],
  signal: [
    'honours its signal',
    /call 1 \(keep\) got no answer: it was made without a signal, and outlives its lease\n[\s\S]*: pass context\.signal/,
  ],
  locked: [
    'touches nothing while another holder has its guard',
    /^while another holder has the guard the third party has book-1 \(Emma\) instead of nothing$/m,
  ],
  paused: [
    'touches nothing while paused',
    /^edited while the workspace is paused, the third party has book-2 \(Persuasion\) instead of Emma, stamped$/m,
  ],
  unhandled: [
    'touches nothing for a workspace that does not ask for it',
    /^for a workspace that does not ask for it, the third party has book-1 \(any, stamped\) instead of nothing$/m,
  ],
  secrets: [
    'keeps secrets out of workspaces, events, logs and errors, in any encoding',
    /^a secret appears as it is in what is written of the workspace: .*<secret>/,
  ],
  marks: [
    'marks what it makes in the cluster as the workspace’s',
    /^ConfigMap notes has no label workspaces\.sequencer\.io\/instance\n[\s\S]*create it through the controller/,
  ],
  fixes: [
    'corrects what was changed outside, whenever it dies meanwhile',
    /^after a change outside the third party has nothing instead of Emma, stamped$/m,
  ],
  contended: [
    'gives two workspaces that want the same name what is theirs',
    /^two workspaces want the same name, and both say that they have it: .*The third party has book-\d \(Emma, stamped\)$/m,
  ],
  crash: [
    'survives a crash before and after every effect',
    /crashed after add answered, before stamp was called: the second run created book-2 \(Emma, stamped\); the third party has book-1 \(Emma\), book-2 \(Emma, stamped\) instead of Emma, stamped; book-1 \(Emma\) leaked/,
  ],
};

for (const [flaw, [title, message]] of Object.entries(found))
  test.serial(`a plug-in with the flaw "${flaw}" fails in that case only, which says why`, async (t) => {
    const failed = await verdictOf(subjectWith(flaw as CaseName));
    t.deepEqual(Object.keys(failed), [title], JSON.stringify(failed, undefined, 1));
    t.regex(failed[title] ?? '', message);
  });

test.serial('a plug-in that cannot have its secret again fails where the answer with it is lost', async (t) => {
  const boxes = { integrations: { boxes: { a: 1 } } };
  const secretive = (more: object): Subject => ({
    identity: 'tag',
    spec: boxes,
    failures: { ambiguous: () => new Error('reset') },
    start() {
      const party = aThirdParty();
      const plain = party.resource('tag');
      const create: typeof plain.create = async (...given) => ({
        ...(await plain.create(...given)),
        secret: { a: 'b' },
      });
      return {
        integration: ({ through }) => {
          const seen = through({ create });
          return boxKeeper(party.resource('tag', { create: seen.create, ...more }));
        },
        remote: () => party.boxes.map(({ name }) => name),
      };
    },
  });
  const title = 'makes nothing twice and loses nothing when any one call or its answer is lost';
  const failed = await verdictOf(secretive({}), title);
  t.regex(
    failed[title] ?? '',
    /^call 1 \(create\) was carried out and its answer lost: Secret subject-boxes-a is missing: .*\n[\s\S]*see secretOf/,
  );
  t.deepEqual(await verdictOf(secretive({ secretOf: async () => ({ a: 'c' }) }), title), {});
});

test.serial('a plug-in that leaves objects behind fails wherever a life ends, and what is left is named', async (t) => {
  const failed = await verdictOf(subjectWith('cleans'));
  t.regex(
    failed['leaves nothing behind when the workspace is deleted'] ?? '',
    /^leaked: book-1 \(Emma, stamped\) is still there after the workspace is gone\n[\s\S]*likely mistake: something is not removed/,
  );
});
