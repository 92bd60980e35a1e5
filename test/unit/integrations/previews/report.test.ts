import test from 'ava';
import { gitHub } from '../../../../integrations/github/index.ts';
import { previewReport, wantedReportOf } from '../../../../integrations/previews/report.ts';
import type { Workspace } from '../../../../sdk/index.ts';
import { httpFailures, testIntegration } from '../../../compliance/index.ts';
import { shaOf } from '../fixtures/a-code-host.ts';
import { gitHubStandIn } from '../github/stand-in.ts';
import { account } from './a-preview-world.ts';

const [first, second] = [shaOf('first'), shaOf('second')];
const specOf = (sha: string) => ({
  integrations: { 'preview-report': { host: 'github.com', repository: 'acme/shop', number: 1, sha } },
});

testIntegration(test.serial, {
  identity: 'tag',
  spec: specOf(first),
  edited: specOf(second),
  sameName: 'exclusive',
  secrets: [account.token],
  drift: 'fixed',
  failures: httpFailures,
  limits: { settle: 3_000_000 },
  start({ clock }) {
    const github = gitHubStandIn({ ...account, now: () => clock.now() });
    const shop = github.repository('acme/shop');
    shop.open(1, { sha: first });
    shop.open(2, { sha: second });
    return {
      fetch: github.fetch,
      integration: (run) =>
        previewReport({
          host: gitHub({ token: account.token, fetch: run.fetch, clock: run.clock }),
          repositories: ['acme/shop'],
          statusContext: 'preview',
        }),
      causeDrift: () => {
        for (const comment of shop.comments.values())
          Object.assign(comment, { body: comment.body.replace('Preview', 'Spoiled') });
      },
      remote: () =>
        [...shop.comments.values()].map(({ id, body }) => ({
          id: `${id}`,
          what: body.replace(/Workspace `[^`]*`|<!-- \S+ \S+/g, ''),
        })),
    };
  },
});

/** Status of a condition. */
type Told = readonly [type: string, status: string];

test('the report follows the other conditions, and names the ones that fail', (t) => {
  const workspace = (statuses: readonly Told[]) =>
    ({
      apiVersion: 'se.quencer.io/v1alpha1',
      kind: 'Workspace',
      metadata: { name: 'shop-1', namespace: 'default' },
      spec: {},
      status: {
        host: 'pr-1.example.test',
        conditions: statuses.map(([type, status]) => ({ type, status, reason: 'x', lastTransitionTime: '' })),
      },
    }) as Workspace;
  const told = (...statuses: readonly Told[]) => {
    const { state, description, url } = wantedReportOf(workspace(statuses), { sha: first });
    return [state, description, url];
  };
  t.deepEqual(told(['Announced', 'Error']), ['pending', 'preview: being made', '']);
  t.deepEqual(told(['DNS', 'Completed'], ['Database', 'Locked']), ['pending', 'preview: being made', '']);
  t.deepEqual(told(['DNS', 'Completed'], ['Ready', 'False']), [
    'success',
    'preview: ready',
    'https://pr-1.example.test',
  ]);
  t.deepEqual(told(['DNS', 'Error'], ['Database', 'Unknown']), ['failure', 'preview: failed: DNS, Database', '']);
});
