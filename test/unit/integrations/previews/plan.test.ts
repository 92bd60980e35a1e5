import test from 'ava';
import fc from 'fast-check';
import type { PullRequest } from '../../../../integrations/code-host/code-host.ts';
import { previewManifests } from '../../../../integrations/previews/manifest.ts';
import { type PreviewCommand, type PreviewRecord, previewPlan } from '../../../../integrations/previews/plan.ts';
import {
  appliedManifestAnnotation,
  manifestDigest,
  numberOf,
} from '../../../../integrations/previews/preview-labels.ts';
import type { Workspace } from '../../../../sdk/index.ts';
import { shaOf } from '../fixtures/a-code-host.ts';

const source = { host: 'github.com', repository: 'acme/shop' };
const manifests = previewManifests({ metadata: { name: 'shop-${pr::number}' }, spec: {} }, source);
const others = previewManifests(
  { metadata: { name: 'shop-${pr::number}' }, spec: {} },
  { ...source, repository: 'acme/api' },
);
const now = 1_000_000;

const pull = fc.record<PullRequest>({
  number: fc.integer({ min: 1, max: 6 }),
  isOpen: fc.boolean(),
  sha: fc.constantFrom(shaOf('a'), shaOf('b')),
  branch: fc.string({ unit: 'grapheme' }),
  isFork: fc.boolean(),
  labels: fc.constantFrom<readonly string[]>([], ['preview']),
  updatedAt: fc.integer({ min: 0, max: 2 * now }),
});

/** A Workspace: ours with a current, a former or a strange name, of another repository, or of a person. */
const workspace = fc
  .record({
    number: fc.integer({ min: 1, max: 8 }),
    kind: fc.constantFrom('ours', 'former', 'other repository', 'person'),
    isDeleting: fc.boolean(),
    sha: fc.constantFrom(shaOf('a'), shaOf('b')),
  })
  .map(({ number, kind, isDeleting, sha }): Workspace => {
    const at: PullRequest = { number, sha, isOpen: true, branch: 'b', isFork: false, labels: [], updatedAt: 0 };
    const manifest = (kind === 'other repository' ? others : manifests).of(at);
    const { labels, annotations } = manifest.metadata;
    return {
      apiVersion: 'se.quencer.io/v1alpha1',
      kind: 'Workspace',
      metadata: {
        name: kind === 'former' ? `old-${number}` : `shop-${number}`,
        namespace: 'default',
        uid: `${kind} ${number}`,
        ...(kind !== 'person' && {
          labels: labels!,
          annotations: { ...annotations, [appliedManifestAnnotation]: manifestDigest(manifest) },
        }),
        ...(isDeleting && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      },
      spec: manifest.spec,
    };
  });

const input = fc.record({
  pulls: fc.uniqueArray(pull, { selector: ({ number }) => number }),
  workspaces: fc.uniqueArray(workspace, { selector: ({ metadata }) => metadata.name }),
  records: fc
    .dictionary(
      fc.integer({ min: 1, max: 6 }).map(String),
      fc.record<PreviewRecord>(
        {
          sha: fc.constantFrom(shaOf('a'), shaOf('b')),
          since: fc.integer({ min: 0, max: now }),
          stopped: fc.constantFrom('expired', 'deleted'),
        },
        { requiredKeys: ['sha', 'since'] },
      ),
    )
    .map((all) => new Map(Object.entries(all).map(([number, record]) => [Number(number), record]))),
  commands: fc.array(
    fc.record<PreviewCommand>({ number: fc.integer({ min: 1, max: 6 }), verb: fc.constantFrom('create', 'delete') }),
    { maxLength: 4 },
  ),
  rules: fc.record({
    limit: fc.integer({ min: 0, max: 6 }),
    ttl: fc.constantFrom(undefined, now / 2),
    idle: fc.constantFrom(undefined, now / 2),
    forkLabel: fc.constant('preview'),
  }),
  manifests: fc.constant(manifests),
  now: fc.constant(now),
});

/** Carries a plan out on a list of Workspaces; deletions take effect at once. */
function carriedOut(workspaces: readonly Workspace[], plan: ReturnType<typeof previewPlan>): readonly Workspace[] {
  const held = new Map(workspaces.map((one) => [one.metadata.name, one]));
  for (const action of plan.decisions.flatMap(({ actions }) => actions)) {
    if (action.op === 'delete') held.delete(action.name);
    else {
      const { manifest } = action;
      const annotations = { ...manifest.metadata.annotations, [appliedManifestAnnotation]: manifestDigest(manifest) };
      const uid = action.op === 'update' ? action.uid : `new ${action.number}`;
      const metadata = { ...manifest.metadata, namespace: 'default', annotations, uid };
      held.set(metadata.name, {
        apiVersion: 'se.quencer.io/v1alpha1',
        kind: 'Workspace',
        metadata,
        spec: manifest.spec,
      });
    }
  }
  return [...held.values()].filter(({ metadata }) => metadata.deletionTimestamp === undefined);
}

const ours = (workspaces: readonly Workspace[]) =>
  workspaces.flatMap((one) => numberOf(one, manifests.source) ?? []).sort();

test('only Workspaces of the repository are changed or deleted, and names of others are left to them', (t) => {
  fc.assert(
    fc.property(input, (given) => {
      const byName = new Map(given.workspaces.map((one) => [one.metadata.name, one]));
      for (const action of previewPlan(given).decisions.flatMap(({ actions }) => actions)) {
        const name = action.op === 'delete' ? action.name : action.manifest.metadata.name;
        const there = byName.get(name);
        if (action.op === 'create') t.is(there, undefined);
        else t.deepEqual([there?.metadata.uid, numberOf(there!, manifests.source)], [action.uid, action.number]);
      }
    }),
  );
  t.pass();
});

test('a pull request never has more than one preview that was not there before, and none once it is closed', (t) => {
  fc.assert(
    fc.property(input, (given) => {
      const plan = previewPlan(given);
      const after = ours(carriedOut(given.workspaces, plan));
      for (const { number, isOpen } of given.pulls) {
        const count = after.filter((one) => one === number).length;
        t.true(count <= (isOpen ? 1 : 0), `${count} of ${number}`);
        t.true(isOpen || !plan.records.has(number));
      }
    }),
  );
  t.pass();
});

test('creations respect the limit, forks need their label, and pull requests that were not looked at are left alone', (t) => {
  fc.assert(
    fc.property(input, (given) => {
      const { decisions } = previewPlan(given);
      const created = decisions.flatMap(({ actions }) => actions.filter(({ op }) => op === 'create'));
      t.true(created.length === 0 || ours(given.workspaces).length + created.length <= given.rules.limit);
      const looked = new Map(given.pulls.map((one) => [one.number, one]));
      for (const { number } of created) {
        const { isFork, labels } = looked.get(number)!;
        t.true(!isFork || labels.includes('preview'));
      }
      t.deepEqual(decisions.map(({ number }) => number).sort(), [...looked.keys()].sort());
    }),
  );
  t.pass();
});

test('repeated plans come to rest: what was carried out is not done again', (t) => {
  fc.assert(
    fc.property(input, (given) => {
      let state = given;
      for (let round = 0; round < 3; round += 1) {
        const plan = previewPlan(state);
        state = {
          ...state,
          commands: [],
          records: new Map(plan.records),
          workspaces: [...carriedOut(state.workspaces, plan)],
        };
      }
      t.deepEqual(
        previewPlan(state).decisions.flatMap(({ actions }) => actions),
        [],
      );
    }),
  );
  t.pass();
});

test('every description fits into a commit status', (t) => {
  fc.assert(
    fc.property(input, (given) => {
      for (const { reported } of previewPlan(given).decisions)
        t.true((reported?.status.description.length ?? 0) <= 140);
    }),
  );
  t.pass();
});

test('what was recorded by a clock that was ahead counts from now on', (t) => {
  const number = 1;
  const pulls = [{ number, sha: shaOf('a'), isOpen: true, branch: 'b', isFork: false, labels: [], updatedAt: 0 }];
  const rules = { limit: 1, ttl: 1_000, idle: undefined, forkLabel: 'preview' };
  const given = { pulls, workspaces: [], commands: [], rules, manifests };
  const records = new Map([[number, { sha: shaOf('a'), since: now + 10 * 365 * 86_400_000 }]]);
  const first = previewPlan({ ...given, records, now });
  t.deepEqual(first.records.get(number), { sha: shaOf('a'), since: now });
  t.like(previewPlan({ ...given, records: first.records, now: now + 1_000 }).records.get(number), {
    stopped: 'expired',
  });
});
