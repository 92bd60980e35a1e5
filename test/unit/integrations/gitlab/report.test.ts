import test from 'ava';
import { gitLab } from '../../../../integrations/gitlab/index.ts';
import { previewReport } from '../../../../integrations/previews/report.ts';
import { type CaseName, httpFailures, testIntegration } from '../../../compliance/index.ts';
import { shaOf } from '../fixtures/a-code-host.ts';
import { gitLabStandIn } from './stand-in.ts';

const account = { token: 'glpat-that-nobody-sees', login: 'project_1_bot' };
const [first, second] = [shaOf('first'), shaOf('second')];
const specOf = (sha: string) => ({
  integrations: { 'preview-report': { host: 'gitlab.com', repository: 'acme/apps/shop', number: 1, sha } },
});
const alike: readonly CaseName[] = [
  ...(['handles', 'locked', 'paused', 'unhandled', 'secrets', 'signal', 'memory', 'copied', 'forged'] as const),
  ...(['reports', 'definite', 'throttled', 'find', 'observe', 'create', 'update', 'delete', 'fixes'] as const),
];

testIntegration(test.serial, {
  identity: 'tag',
  spec: specOf(first),
  edited: specOf(second),
  sameName: 'exclusive',
  secrets: [account.token],
  failures: httpFailures,
  limits: { settle: 3_000_000 },
  cannot: Object.fromEntries(alike.map((name) => [name, 'proved with GitHub: the report is the same'])),
  start({ clock }) {
    const gitlab = gitLabStandIn({ ...account, now: () => clock.now() });
    const shop = gitlab.repository('acme/apps/shop');
    shop.open(1, { sha: first });
    shop.open(2, { sha: second });
    return {
      fetch: gitlab.fetch,
      integration: (run) =>
        previewReport({
          host: gitLab({ token: account.token, fetch: run.fetch, clock: run.clock }),
          repositories: ['acme/apps/shop'],
          statusContext: 'preview',
        }),
      remote: () =>
        [...shop.comments.values()].map(({ id, body }) => ({
          id: `${id}`,
          what: body.replace(/Workspace `[^`]*`|<!-- \S+ \S+/g, ''),
        })),
    };
  },
});
