import test from 'ava';
import fc from 'fast-check';
import { readSentence, sentenceOf } from '../../../cluster/faults/sentence.ts';
import type { FaultSpec } from '../../../cluster/faults/spec.ts';

const name = fc.constantFrom('a', 'team-a', 'kube-system', 'x.y');
const scope = fc.record({ namespace: name, name, user: name, userAgent: name }, { requiredKeys: [] });
const count = fc.integer({ min: 1, max: 1000 });
const ms = fc.integer({ min: 1, max: 100_000 });
const limits = fc.record({ times: count, skip: count, probability: fc.constantFrom(0.25, 0.5) }, { requiredKeys: [] });
const answer = fc.oneof(
  fc.integer({ min: 400, max: 599 }),
  fc.record({ code: fc.integer({ min: 400, max: 599 }), retryAfter: count, message: fc.string() }),
);
const life = fc.oneof(fc.record({ events: count }), fc.record({ ms }));
const subject = { resource: fc.constantFrom('workspaces/status', 'deployments.apps', '*'), scope };
const requests = fc
  .tuple(
    fc.record(
      {
        on: fc.constantFrom('get', 'patch', 'create', '*'),
        ...subject,
        when: fc.constantFrom('before', 'after'),
        do: fc.oneof(fc.constantFrom('drop', 'reset'), fc.record({ answer }), fc.record({ delay: ms })),
      },
      { requiredKeys: ['on', 'resource', 'do'] },
    ),
    limits,
  )
  .map(([spec, more]) => ({ ...spec, ...more }));
const watches = fc
  .tuple(
    fc.constantFrom('configmaps', '*'),
    fc.oneof(
      fc.constantFrom('lose', 'duplicate', 'hold', 'hide-bookmarks', 'hide-initial-end', 'refuse-streaming'),
      fc.record({ delay: ms }),
      fc.record({ drop: life }),
      fc.record({ expire: life }),
      fc.record({ end: life }),
    ),
    limits,
  )
  .map(([resource, deed, more]) => ({ watches: resource, do: deed, ...more }));
const caches = fc.record({ cache: name, do: fc.oneof(fc.constant('freeze'), fc.record({ behind: count })) });
const clients = fc.record({ client: scope, do: fc.record({ crash: fc.record({ writes: count }) }) });

test('every fault can be said, and read back', (t) => {
  fc.assert(
    fc.property(fc.oneof(requests, watches, caches, clients), (spec) => {
      const { scope: where, ...rest } = spec as { scope?: object };
      const expected = where === undefined || Object.keys(where).length === 0 ? rest : { ...rest, scope: where };
      t.deepEqual(readSentence(sentenceOf(spec as FaultSpec)) as object, expected);
    }),
    { numRuns: 300 },
  );
});

test('a sentence says where, when, what and how often', (t) => {
  t.deepEqual(readSentence('patch workspaces/status in team-a from operator after commit drop, once, skip 2'), {
    on: 'patch',
    resource: 'workspaces/status',
    scope: { namespace: 'team-a', userAgent: 'operator' },
    when: 'after',
    do: 'drop',
    times: 1,
    skip: 2,
  });
  t.deepEqual(readSentence('create * answer 429 retry after 2 saying "slow down"'), {
    on: 'create',
    resource: '*',
    do: { answer: { code: 429, retryAfter: 2, message: 'slow down' } },
  });
  t.deepEqual(readSentence('watches workspaces drop after 3 events'), {
    watches: 'workspaces',
    do: { drop: { events: 3 } },
  });
  t.deepEqual(readSentence('client from operator crash after 1 write'), {
    client: { userAgent: 'operator' },
    do: { crash: { writes: 1 } },
  });
});

test('what is not understood is told from the first word on', (t) => {
  const refused = (sentence: string, message: RegExp) =>
    t.throws(() => readSentence(sentence), { instanceOf: TypeError, message });
  refused('patch workspaces explode now', /from "explode now" on: expected VERB RESOURCE/);
  refused('patch workspaces drop reset', /says do twice/);
  refused('patch', /from "patch" on/);
  refused('', /a fault has one of on, watches, cache, client/);
  refused('patch workspaces', /"do" is one of "drop", "reset", "cut"/);
  refused('watches workspaces cut', /"do" is one of "lose"/);
  refused('patch workspaces before commit cut', /no answer to cut/);
});
