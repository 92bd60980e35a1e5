import test from 'ava';
import type { Subject } from '../../../compliance/index.ts';
import { bookKeeper } from './a-book-keeper.ts';
import { aShelf } from './a-shelf.ts';
import { verdictOf } from './verdict.ts';

const subjectWith = (flaw: 'crash' | undefined): Subject => ({
  identity: 'name',
  spec: { integrations: { shelf: { title: 'Emma' } } },
  time: 'real',
  start(host) {
    const shelf = aShelf();
    return {
      integration: ({ through }) => bookKeeper({ shelf: through(shelf), host, flaw }),
      remote: () => shelf.books.map(({ id, title }) => ({ id, what: title })),
    };
  },
});

const title = 'survives a crash before and after every effect';

test.serial('in real time a plug-in without a flaw survives all its deaths', async (t) => {
  t.timeout(120_000);
  t.deepEqual(await verdictOf(subjectWith(undefined), title), {});
});

test.serial('in real time the kit sees what a plug-in forgets when it dies', async (t) => {
  t.timeout(120_000);
  const failed = await verdictOf(subjectWith('crash'), title);
  t.regex(
    failed[title] ?? '',
    /crashed after add answered, before stamp was called: the second run created book-2 \(Emma\); the third party has book-1 \(Emma\), book-2 \(Emma\) instead of Emma; book-1 \(Emma\) leaked/,
  );
});
