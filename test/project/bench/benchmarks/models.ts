/** Measures the overhead of the reconciler models. */

import { ensureCrds } from '../../../../sdk/index.ts';
import type { Benchmark, Lab, Scale } from '../benchmark.ts';
import { startChild } from '../harness/child.ts';
import { createNamespaces, forEachIndex } from '../harness/driver.ts';
import { startServer } from '../harness/servers.ts';
import { keyAt } from '../harness/workload.ts';
import type { Progress } from '../programs/tally.ts';
import { Site } from '../reconcilers/site.ts';
import { models as byName } from '../reconcilers/site-models.ts';
import { median } from '../report/figures.ts';
import type { Cell, Table } from '../report/table.ts';

/** Parameters of the program that runs a model. */
export interface ModelParameters {
  readonly kubeconfigYaml: string;
  readonly objects: number;
  /** A model of `site-models.ts`. */
  readonly model: string;
  /** Runs a reconciler that makes the same writes without a model. */
  readonly isPlain: boolean;
}

interface Size {
  readonly objects: number;
  readonly rounds: number;
  /** Number of models. @default all */
  readonly models?: number;
}

const sizeAt: Readonly<Record<Scale, Size>> = {
  full: { objects: 5_000, rounds: 3 },
  quick: { objects: 500, rounds: 1 },
  tiny: { objects: 20, rounds: 1, models: 1 },
};

/** Deadline for all objects in ms: CPU time is measured, so a busy machine may take longer. */
const maxRunMs = 300_000;

/** CPU time of one run over all objects, on a server of its own. */
async function cpuOf(lab: Lab, model: string, isPlain: boolean): Promise<number> {
  const { objects } = sizeAt[lab.scale];
  await using server = await startServer('in-memory', lab);
  const { client, kubeconfigYaml } = server;
  await ensureCrds(client, [Site]);
  await createNamespaces(client);
  await forEachIndex(objects, (index) =>
    client.create(Site, { metadata: keyAt(index), spec: { text: 'x'.repeat(500) } }, { answer: 'metadata' }),
  );
  const parameters: ModelParameters = { kubeconfigYaml, objects, model, isPlain };
  await using child = startChild('model', parameters, { lab, deadline: maxRunMs });
  const { cpuMs } = await child.said<Progress>();
  return cpuMs / objects;
}

async function rowOf(lab: Lab, model: string): Promise<readonly Cell[]> {
  const own: number[] = [];
  const plain: number[] = [];
  for (let round = 1; round <= sizeAt[lab.scale].rounds; round += 1) {
    lab.progress(`${model}, round ${round}`);
    // The second run finds a warmer or busier machine, so the order alternates.
    for (const isPlain of round % 2 === 0 ? [true, false] : [false, true])
      (isPlain ? plain : own).push(await cpuOf(lab, model, isPlain));
  }
  const [cost, floor] = [median(own), median(plain)];
  return [model, byName[model]!.writes.join(', '), cost, floor, cost / floor];
}

/** Overhead of a model beyond the writes that it makes. */
export const models: Benchmark = {
  name: 'models',
  summary: 'the controller models beside plain reconcilers that make the same writes',
  async run(lab) {
    const rows: (readonly Cell[])[] = [];
    for (const model of Object.keys(byName).slice(0, sizeAt[lab.scale].models)) rows.push(await rowOf(lab, model));
    const { objects, rounds } = sizeAt[lab.scale];
    const table: Table = {
      title: `models on in-memory: ${objects} objects exist, a controller starts and makes its writes`,
      columns: ['model', 'writes', 'CPU ms/object', 'plain', 'model / plain'],
      rows,
      notes: [
        `16 at once; own CPU from the start of the process; medians of ${rounds} rounds, in turn, each on a fresh server`,
        'both send the very same requests (a test compares them); the ratio is that of the medians',
      ],
    };
    return [table];
  },
};
