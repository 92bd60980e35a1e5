/** Runs compliance cases of the report on a real Gitea. */

import test from 'ava';
import { gitea } from '../../../../integrations/gitea/index.ts';
import { previewReport } from '../../../../integrations/previews/report.ts';
import { httpFailures, testIntegration } from '../../../compliance/index.ts';
import { type CaseName, caseNames } from '../../../compliance/subject/case-names.ts';
import { startGitea } from '../../../system/real/programs/gitea.ts';
import { shaOf } from '../fixtures/a-code-host.ts';

const server = await startGitea();
const { url, admin } = server;
const { host } = new URL(url);
const repository = 'root/shop';
const at = `/repos/${repository}`;
await admin.call('POST', '/user/repos', { name: 'shop', auto_init: true, default_branch: 'main' });
test.after.always('Gitea stops', () => server.close());

const [first, second] = [shaOf('first'), shaOf('second')];
const specOf = (sha: string) => ({ integrations: { 'preview-report': { host, repository, number: 1, sha } } });

/** Commits a file to a branch, which is made where it is named as new. @returns the commit */
async function commit(file: string, branch: object): Promise<string> {
  const asked = { ...branch, content: btoa(file), message: file };
  return (await admin.call<{ commit: { sha: string } }>('POST', `${at}/contents/${file}`, asked)).commit.sha;
}

let lives = 0;

/** Opens a pull request with two commits, which stands for the one of the spec: lives are at work beside each other. */
async function aPull() {
  lives += 1;
  const head = `life-${lives}`;
  const shas = [
    await commit(`${head}-first`, { branch: 'main', new_branch: head }),
    await commit(`${head}-second`, { branch: head }),
  ];
  const { number } = await admin.call<{ number: number }>('POST', `${at}/pulls`, { head, base: 'main', title: head });
  const standIn = (path: string): string =>
    path
      .replace(/\/(issues|pulls)\/1\b/, `/$1/${number}`)
      .replace(first, shas[0]!)
      .replace(second, shas[1]!);
  return { number, standIn };
}

/** Comment as Gitea lists it. */
interface Shown {
  readonly id: number;
  readonly body: string;
}

/** The case that takes minutes on Gitea: it has a file, and so a server and a worker, of its own. */
export const long: readonly CaseName[] = ['forged'];

/** Cases in which servers do not differ: faults are made before the server is asked, or looks are minutes apart. */
const elsewhere: readonly CaseName[] = ['signal', 'definite', 'ambiguous', 'throttled', 'fixes'];

/** Runs these cases, and none of those that need no server. */
export const proveOnGitea = (proved: readonly CaseName[]): void =>
  testIntegration(test.serial, {
    identity: 'tag',
    time: 'real',
    limits: { settle: 120_000 }, // a first comment takes Gitea longer than a lease while other servers are busy
    spec: specOf(first),
    edited: specOf(second),
    sameName: 'exclusive',
    secrets: [admin.token],
    failures: httpFailures,
    cannot: {
      ...Object.fromEntries(
        caseNames.filter((name) => !proved.includes(name)).map((name) => [name, 'proved in a file of its own']),
      ),
      ...Object.fromEntries(elsewhere.map((name) => [name, 'proved in virtual time'])),
    },
    async start() {
      const { number, standIn } = await aPull();
      return {
        integration: (run) => ({
          ...previewReport({
            host: gitea({
              url,
              token: admin.token,
              clock: run.clock,
              deadline: 5_000,
              fetch: (input, init) => run.fetch(standIn(String(input)), init),
            }),
            repositories: [repository],
            statusContext: 'preview',
          }),
          limits: { rate: 100, burst: 100 },
        }),
        async remote() {
          const comments = await admin.call<readonly Shown[]>('GET', `${at}/issues/${number}/comments`);
          return comments.map(({ id, body }) => ({
            id: `${id}`,
            what: body.replace(/Workspace `[^`]*`|<!-- \S+ \S+/g, ''),
          }));
        },
      };
    },
  });
