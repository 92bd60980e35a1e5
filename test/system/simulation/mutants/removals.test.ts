import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import type { Integration } from '../../../../sdk/index.ts';
import { textOfFault } from '../faults/faults.ts';
import { isFailure, live, type Verdict } from '../lives/life.ts';
import { createArena } from '../processes/arena.ts';
import { type GuardedOptions, guarded, markOf } from '../protocols/guarded.ts';
import { product, theGuard, theResources, theThings } from '../protocols/protocol.ts';
import { mutants } from './mutants.ts';
import { type Removal, removals } from './removals.ts';

const arena = await createArena();

const ways = { guard: theGuard, ensure: theResources, things: theThings };

/** Runs the lives of a removal: the violations of the first one that fails without the protection, and the same life with it. */
async function shown({
  identity,
  seams,
  life,
  lives,
  sees,
  way = 'guard',
}: Removal): Promise<{ readonly without: Verdict; readonly within: Verdict } | undefined> {
  const { process: _, ...same } = life ?? {};
  const protocol = ways[way];
  for (const faults of lives) {
    const base = { arena, seed: 'meta', identity, faults };
    const without = await live({ ...base, ...life, protocol: protocol(seams), endsWith: sees });
    if (!without.violations.some(({ id }) => sees.includes(id))) continue;
    return { without, within: await live({ ...base, ...same, protocol: protocol() }) };
  }
  return undefined;
}

for (const removal of [...removals, ...mutants])
  test.serial(`the simulation goes red without ${removal.name}`, async (t) => {
    const found = await shown(removal);
    t.truthy(
      found,
      `none of ${removal.lives.length} lives shows it; the first: ${removal.lives[0]?.map(textOfFault).join(', ')}`,
    );
    t.false(isFailure(found!.within), found!.within.trace.join('\n'));
  });

test('docs/guard/rules.md has a row for each rule, of its name and in order', (t) => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/guard/rules.md'), 'utf8');
  const rows = [...page.matchAll(/^\| (.+?) \| .+ \| (\d+) \|$/gm)];
  t.deepEqual(
    rows.map(([, name, lives]) => [name, Number(lives)]),
    [...removals, ...mutants].map(({ name, lives }) => [name, lives.length]),
  );
});

test.serial('F36: a lost call may be carried out as late as was declared, and no later', async (t) => {
  const late = (ms: number) =>
    live({ arena, seed: 'F36', identity: 'tag', faults: [{ on: 'call', at: 1, kind: 'call late', ms }] });
  for (const ms of [0, 2_000, 4_000]) t.false(isFailure(await late(ms)), `${ms} ms`);
  t.true(isFailure(await late(12_000)), 'what comes when it is looked for no more, the simulation sees');
});

test.serial('F50: a call outside a guard is seen: nothing durable says that it was sent', async (t) => {
  const outside = (options: GuardedOptions): Integration => {
    const inner = guarded(options);
    return {
      ...inner,
      connect: async (config) => {
        const port = options.connect(config.controller, new AbortController().signal);
        await port.create({ name: 'bare', mark: markOf(config.workspace), value: 1 }).catch(() => undefined);
        return inner.connect(config);
      },
    };
  };
  const { violations } = await live({
    arena,
    seed: 'F50',
    identity: 'name',
    faults: [],
    protocol: product('outside', outside, {}),
  });
  t.true(violations.some(({ id }) => id === 'I4'));
});
