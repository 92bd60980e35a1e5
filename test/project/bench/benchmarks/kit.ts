/** Measures the compliance kit on the smallest plug-in. */

import type { Benchmark, Lab, Scale } from '../benchmark.ts';
import { startChild } from '../harness/child.ts';
import { median } from '../report/figures.ts';
import type { Table } from '../report/table.ts';

/** CPU time of one case of the kit, in ms. */
export interface CaseCost {
  readonly title: string;
  readonly cpuMs: number;
}

const sizeAt: Readonly<Record<Scale, { readonly rounds: number }>> = {
  full: { rounds: 5 },
  quick: { rounds: 2 },
  tiny: { rounds: 1 },
};

/** Number of cases that have a row of their own. */
const shown = 6;

const sumOf = (costs: readonly CaseCost[]): number => costs.reduce((sum, { cpuMs }) => sum + cpuMs, 0);

async function roundsOf(lab: Lab): Promise<readonly (readonly CaseCost[])[]> {
  const made: (readonly CaseCost[])[] = [];
  for (let round = 1; round <= sizeAt[lab.scale].rounds; round += 1) {
    lab.progress(`round ${round}`);
    await using child = startChild('kit', {}, { lab });
    made.push(await child.said<readonly CaseCost[]>());
  }
  return made;
}

async function tableOf(lab: Lab): Promise<Table> {
  const rounds = await roundsOf(lab);
  const whole = median(rounds.map(sumOf));
  const cases = rounds[0]!.map(({ title }, index) => ({
    title,
    cpuMs: median(rounds.map((costs) => costs[index]!.cpuMs)),
  }));
  const most = cases.toSorted((one, other) => other.cpuMs - one.cpuMs).slice(0, shown);
  return {
    title: 'kit: all cases on memoryDns, on the cluster in memory, in virtual time',
    columns: ['case', 'CPU ms', 'share'],
    rows: [...most, { title: 'all cases', cpuMs: whole }].map(({ title, cpuMs }) => [title, cpuMs, cpuMs / whole]),
    notes: [`${cases.length} cases, each process runs all of them once; medians of ${rounds.length} processes`],
  };
}

/** CPU time that the kit takes, and the cases that take most of it. */
export const kit: Benchmark = {
  name: 'kit',
  summary: 'the compliance kit on a small plug-in: CPU time of its cases',
  run: async (lab) => [await tableOf(lab)],
};
