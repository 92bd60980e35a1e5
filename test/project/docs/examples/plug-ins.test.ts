import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import type { Integration } from '../../../../sdk/index.ts';
import { httpFailures, type Subject } from '../../../compliance/index.ts';
import { verdictOf } from '../../../unit/integrations/flawed/verdict.ts';
import { blocksOf, fileOf } from './blocks.ts';

const root = join(import.meta.dirname, '../../../..');
const token = 'tok-of-a-reader';

type PlugIn = (options: { url: string; token: string; fetch: typeof globalThis.fetch }) => Integration;

/** Imports a code block of a page, in a project that depends on the package. */
async function plugInOf(t: ExecutionContext, page: string, file: string): Promise<Readonly<Record<string, PlugIn>>> {
  const folder = mkdtempSync(join(tmpdir(), 'plug-ins-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/workspace-sequencer'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  const block = blocksOf(readFileSync(join(root, page), 'utf8')).find((one) => fileOf(one) === file);
  writeFileSync(join(folder, file), block!.text);
  return (await import(pathToFileURL(join(folder, file)).href)) as Readonly<Record<string, PlugIn>>;
}

/** Third party that stores values under names chosen by the client. */
function aKeeper() {
  const kept = new Map<string, string>();
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const name = new URL(String(input)).pathname;
    const was = kept.has(name);
    if (init?.method === 'PUT') kept.set(name, String(init.body ?? ''));
    if (init?.method === 'DELETE') kept.delete(name);
    return new Response(null, { status: was || init?.method === 'PUT' ? 200 : 404 });
  };
  return { kept, fetch };
}

const subjectOf = (plugIn: PlugIn, spec: Subject['spec']): Subject => ({
  identity: 'name',
  spec,
  failures: httpFailures,
  secrets: [token],
  sameName: 'separate',
  start() {
    const { kept, fetch } = aKeeper();
    return {
      fetch,
      integration: (run) => plugIn({ url: 'https://acme.example', token, fetch: run.fetch }),
      remote: () => [...kept].map(([id, body]) => ({ id, what: `something ${body}` })),
    };
  },
});

test('the plug-in of README.md passes every case', async (t) => {
  const { acmeUptime } = await plugInOf(t, 'README.md', 'acme-uptime.ts');
  const cannot = { covers: 'the host that is wanted comes of another integration, so that no spec changes it' };
  t.deepEqual(await verdictOf({ ...subjectOf(acmeUptime!, { integrations: { uptime: {} } }), cannot }), {});
});

test('the plug-in of integrations/README.md passes every case', async (t) => {
  const { acmeTunnel } = await plugInOf(t, 'integrations/README.md', 'acme-tunnel.ts');
  t.deepEqual(await verdictOf(subjectOf(acmeTunnel!, { networking: { tunnel: { acme: {} } } })), {});
});
