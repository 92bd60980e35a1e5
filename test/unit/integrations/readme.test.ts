import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { conditionOf, type Integration } from '../../../sdk/index.ts';
import { blocksOf, fileOf } from '../../project/docs/examples/blocks.ts';
import { aTargetCluster } from '../a-target-cluster.ts';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'integrations/README.md'), 'utf8');

interface Example {
  acmeTunnel(options: { url: string; token: string; fetch: typeof globalThis.fetch }): Integration;
}

/** The page's example in a project of its own that depends on the package, as a reader has it. */
async function example(t: ExecutionContext): Promise<Example> {
  const folder = mkdtempSync(join(tmpdir(), 'integrations-readme-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/workspace-sequencer'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  const [block] = blocksOf(page);
  const file = join(folder, fileOf(block!));
  writeFileSync(file, block!.text);
  return (await import(pathToFileURL(file).href)) as Example;
}

/** Acme, with tunnels by name and its next failures. */
function anAcme() {
  const tunnels = new Set<string>();
  const answers: (number | 'lost')[] = [];
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const name = String(input).split('/').at(-1)!;
    const answer = answers.shift();
    if (typeof answer === 'number') return new Response(null, { status: answer });
    const there = tunnels.has(name);
    if (init?.method === 'PUT') tunnels.add(name);
    else tunnels.delete(name);
    if (answer === 'lost') throw new TypeError('fetch failed');
    return new Response(null, { status: init?.method === 'DELETE' && !there ? 404 : 200 });
  };
  return { tunnels, answers, fetch };
}

async function aWalk(t: ExecutionContext) {
  const { acmeTunnel } = await example(t);
  const acme = anAcme();
  const stage = await aTargetCluster();
  const actor = stage.actor([acmeTunnel({ url: 'https://acme.test', token: 'x', fetch: acme.fetch })]);
  await stage.create({ networking: { tunnel: { acme: {} } } });
  return {
    ...acme,
    ...stage,
    uid: (await stage.read()).metadata.uid,
    async walkOn(ms = 0) {
      await stage.clock.advance(ms);
      await actor.walk().catch(() => ({}));
    },
    status: async () => conditionOf(await stage.read(), 'Tunneling').status,
  };
}

test('the example of integrations/README.md creates once, and leaves nothing behind', async (t) => {
  const { walkOn, tunnels, uid, status, delete: remove, read } = await aWalk(t);
  await walkOn();
  await walkOn();
  t.deepEqual([...tunnels], [`ws-${uid}`]);
  t.is(await status(), 'Completed');
  await remove();
  await walkOn();
  t.deepEqual([...tunnels], []);
  await t.throwsAsync(read(), { message: /not found/ });
});

test('the example tells a refusal from patience and from an answer that was lost, as the page says', async (t) => {
  const { walkOn, answers, status, tunnels, delete: remove } = await aWalk(t);
  answers.push(403, 429, 'lost');
  await walkOn();
  t.is(await status(), 'Error');
  await walkOn();
  t.is(await status(), 'Waiting');
  await walkOn(30_000);
  t.is(await status(), 'Locked');
  for (let round = 0; round < 3; round += 1) await walkOn(20_000);
  t.is(await status(), 'Completed');
  t.is(tunnels.size, 1);
  answers.push('lost');
  await remove();
  for (let round = 0; round < 3; round += 1) await walkOn(20_000);
  t.is(tunnels.size, 0);
});
