import test from 'ava';
import { systemClock } from '../../../../../sdk/index.ts';
import { runProof } from '../../../../../sequencer/cli/prove/proof.ts';
import type { Subject } from '../../../../compliance/index.ts';
import { hooksStandIn } from '../../../integrations/http/stand-in.ts';
import { integrationOf, secret, subject } from '../../../integrations/http/subject.ts';

const boxes = (identity: Subject['identity'], remote?: () => readonly string[]): Subject => ({
  ...subject,
  identity,
  start({ clock }) {
    const server = hooksStandIn({ secret, identity, clock });
    return {
      fetch: server.fetch,
      integration: (run) => integrationOf(run, { identity }),
      causeDrift: () => server.causeDrift(),
      remote: remote ?? (() => [...server.boxes.keys()]),
    };
  },
});

async function proof(one: Subject, match?: string) {
  const lines: string[] = [];
  const result = await runProof(one, {
    match,
    clock: systemClock,
    signal: new AbortController().signal,
    print: (line) => void lines.push(line),
  });
  return { result, lines };
}

test('cases that hold are reported with their time', async (t) => {
  const { result, lines } = await proof(boxes('name'), 'Completed');
  t.deepEqual(result, { proved: 1, failed: 0, skipped: 0 });
  t.regex(lines.join('\n'), /^ {2}✔ brings its condition to Completed \(\d+\.\ds\)$/);
});

test('a case that fails is reported with its report', async (t) => {
  const { result, lines } = await proof(
    boxes('name', () => []),
    'Completed',
  );
  t.deepEqual(result, { proved: 0, failed: 1, skipped: 0 });
  t.regex(lines[0] ?? '', /^ {2}✘ brings its condition to Completed/);
  t.is(lines[1], '      Completed, but nothing exists at the third party');
  t.true(lines.some((line) => line.includes('likely mistake:')));
});

test('what proves nothing is reported with the reason, before or after it was tried', async (t) => {
  t.deepEqual((await proof(boxes('name'), 'marks what')).lines, [
    '  - marks what it makes in the cluster as the workspace’s (not proved: the subject does not declare target: cluster)',
  ]);
  t.deepEqual(await proof(boxes('opaque'), 'find:'), {
    result: { proved: 0, failed: 0, skipped: 1 },
    lines: ['  - find: answers what is its owner’s, and nothing else (not proved: no resource of it has find)'],
  });
});
