/** Measures the cost of guarded changes. */

import type { Benchmark, Lab, Scale } from '../benchmark.ts';
import { startChild } from '../harness/child.ts';
import { createNamespaces } from '../harness/driver.ts';
import { type BenchServer, type ServerName, startServer } from '../harness/servers.ts';
import { median, medianRatio } from '../report/figures.ts';
import type { Cell, Table } from '../report/table.ts';

/** Parameters of the guarding program. */
export interface GuardParameters {
  readonly kubeconfigYaml: string;
  /** Number of concurrent workspaces. */
  readonly workspaces: number;
  /** Changes per round. */
  readonly changes: number;
}

/** Cost of one round. */
export interface Round {
  readonly wallMs: number;
  readonly cpuMs: number;
}

const sizeAt: Readonly<Record<Scale, Pick<GuardParameters, 'changes'> & { readonly rounds: number }>> = {
  full: { changes: 400, rounds: 5 },
  quick: { changes: 80, rounds: 3 },
  tiny: { changes: 16, rounds: 1 },
};

const inFlight = 16;

interface Pair {
  readonly patch: Round;
  readonly guard: Round;
}

async function measure(lab: Lab, server: BenchServer): Promise<readonly Pair[]> {
  const { changes, rounds } = sizeAt[lab.scale];
  await createNamespaces(server.client);
  const parameters: GuardParameters = { kubeconfigYaml: server.kubeconfigYaml, workspaces: inFlight, changes };
  await using child = startChild('guard', parameters, { lab });
  await child.said();
  const pairs: Pair[] = [];
  // The first pair warms up.
  for (let round = 0; round <= rounds; round++)
    pairs.push({ patch: await child.ask<Round>('patch'), guard: await child.ask<Round>('guard') });
  return pairs.slice(1);
}

async function tableOf(lab: Lab, name: ServerName): Promise<Table> {
  lab.progress(name);
  await using server = await startServer(name, lab);
  const pairs = await measure(lab, server);
  const { changes, rounds } = sizeAt[lab.scale];
  const row = (title: string, of: keyof Pair): readonly Cell[] => [
    title,
    (changes / median(pairs.map((pair) => pair[of].wallMs))) * 1000,
    median(pairs.map((pair) => pair[of].cpuMs)) / changes,
  ];
  const ratio = (of: keyof Round) =>
    medianRatio(
      pairs.map(({ guard }) => guard[of]),
      pairs.map(({ patch }) => patch[of]),
    );
  return {
    title: `guard on ${name}: a guarded change that does nothing outside, beside a bare status patch`,
    columns: ['change', 'changes/s', 'CPU ms/change'],
    rows: [
      row('status patch', 'patch'),
      row('guarded change', 'guard'),
      ['guarded / bare', 1 / ratio('wallMs'), ratio('cpuMs')],
    ],
    notes: [
      `a guarded change is two status patches: intent and outcome; ${inFlight} at once; medians of ${rounds} rounds of ${changes}, in turn`,
    ],
  };
}

/** Cost of the guard. */
export const guard: Benchmark = {
  name: 'guard',
  summary: 'guarded changes beside bare status patches',
  async run(lab) {
    const tables: Table[] = [];
    for (const server of lab.servers) tables.push(await tableOf(lab, server));
    return tables;
  },
};
