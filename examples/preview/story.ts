/** Demo of a preview environment: a pull request is opened, reviewed, and closed. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, type Kind, type KubeObject, Pod, Secret, Service, Workspace } from 'workspace-sequencer/sdk';
import type { Walkthrough } from 'workspace-sequencer/sequencer';

/** Places of the story. */
export interface StoryOptions {
  /** Address of the code host's API, its repository, and a token. */
  readonly codeHost: { readonly url: string; readonly repository: string; readonly token: string };
  readonly namespace: string;
  /** Host of the preview of the first pull request. */
  readonly host: string;
  /** Queries the name server for the address of a host. */
  readonly addressOf: (host: string) => Promise<string | undefined>;
  /** HTTPS port of the router. */
  readonly port: number;
  /** Certificate to trust, as PEM. */
  readonly ca: string;
  /** Counts the external objects by kind. */
  readonly counts: () => Readonly<Record<string, number>> | Promise<Readonly<Record<string, number>>>;
}

/** Polls until there is a value to return; a failed poll counts as none. */
async function until<T>(signal: AbortSignal, look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    const found = await look().catch(() => undefined);
    if (found !== undefined) return found;
    await sleep(50, undefined, { signal });
  }
}

/** Gets the page of a host as a browser does: at the address that DNS names, with a certificate that is signed. Rejects for any status but 200. */
async function visit({ host, port, ca, addressOf }: StoryOptions, signal: AbortSignal): Promise<string> {
  const address = await addressOf(host);
  return new Promise((resolve, reject) => {
    const options = { host: address, port, servername: host, headers: { host }, ca, signal, agent: false };
    const sent = request(options, (answer) => {
      text(answer).then((body) => (answer.statusCode === 200 ? resolve(body) : reject(new Error(body))), reject);
    });
    sent.on('error', reject).end();
  });
}

/** Counts the objects of a kind that workspaces own. */
async function ownedCount<T extends KubeObject>(client: Client, kind: Kind<T>, namespace: string): Promise<number> {
  const { items } = await client.list(kind, { namespace });
  return items.filter(({ metadata }) => metadata.ownerReferences?.some((one) => one.kind === Workspace.kind)).length;
}

/** Counts the objects in the cluster. */
const inCluster = async (client: Client, namespace: string): Promise<Readonly<Record<string, number>>> => ({
  workspaces: (await client.list(Workspace, { namespace })).items.length,
  pods: await ownedCount(client, Pod, namespace),
  services: await ownedCount(client, Service, namespace),
  secrets: await ownedCount(client, Secret, namespace),
});

const shown = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([what, count]) => `${what} ${count}`)
    .join(', ');

/** Returns the story. */
export function story(options: StoryOptions): Walkthrough {
  const { codeHost, namespace, host, port, ca, counts } = options;
  const at = `${codeHost.url}/repos/${codeHost.repository}`;
  const authorization = `token ${codeHost.token}`;
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const headers = { authorization, 'content-type': 'application/json' };
    const answer = await fetch(`${at}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!answer.ok) throw new Error(`${method} ${at}${path}: HTTP ${answer.status}`);
    return (await answer.json()) as T;
  };
  let pull: number | undefined;
  let folder: string | undefined;

  return {
    async begin({ client, say, signal }) {
      const opened = await ask<{ readonly number: number }>('POST', '/pulls', {
        head: 'login',
        base: 'main',
        title: 'Login',
      });
      pull = opened.number;
      say(`pull request ${pull} of ${codeHost.repository} is open`);
      const report = await until(signal, async () => {
        const comments = await ask<readonly { readonly body: string }[]>('GET', `/issues/${pull}/comments`);
        return comments.map(({ body }) => body.split('\n', 1)[0]).find((line) => line?.includes('ready'));
      });
      const page = await until(signal, () => visit(options, signal));
      folder = await mkdtemp(join(tmpdir(), 'preview-'));
      const file = join(folder, 'ca.pem');
      await writeFile(file, ca);
      say(`comment     ${report}`);
      say(`there is    ${shown({ ...(await inCluster(client, namespace)), ...(await counts()) })}`);
      say(`another     curl -H 'authorization: ${authorization}' -d '{"head":"search"}' ${at}/pulls`);
      say(
        `look        curl --cacert ${file} --connect-to ::127.0.0.1:${port} https://${host}/`,
        `            ${page.trim()}`,
      );
    },
    async end({ client, say, signal }) {
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
      const open = pull === undefined ? [] : await ask<readonly { readonly number: number }[]>('GET', '/pulls');
      for (const { number } of open) {
        await ask('PATCH', `/pulls/${number}`, { state: 'closed' });
        say(`pull request ${number} of ${codeHost.repository} is closed`);
      }
      await until(signal, async () => (await client.list(Workspace, { namespace })).items.length === 0 || undefined);
      // What workspaces owned, the cluster collects later: kube-controller-manager looks for new kinds every 30 s.
      let left: Readonly<Record<string, number>> = {};
      const expired = AbortSignal.any([signal, AbortSignal.timeout(90_000)]);
      await until(expired, async () => {
        left = { ...(await inCluster(client, namespace)), ...(await counts()) };
        return Object.values(left).every((count) => count === 0) || undefined;
      }).catch(() => undefined);
      return left;
    },
  };
}
