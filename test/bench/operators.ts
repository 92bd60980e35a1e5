import type { Lab } from './benchmark.ts';
import { type Child, startChild } from './child.ts';
import { type Access, accessOf } from './connect.ts';
import type { BenchServer } from './servers.ts';

/** What an operator under measurement is started with. */
export interface OperatorParameters {
  readonly kubeconfigYaml: string;
  /** The same server, for an operator without our SDK. */
  readonly access: Access;
  /** How many it has to bring to Ready before it says so; 0: it says so when it is listening. */
  readonly objects: number;
  /** Objects under way at once. */
  readonly workers: number;
}

/** Operators that do the same two writes: ours, and the least that a Node program can get by with. */
export const operators = { 'this SDK': 'operator', 'undici alone': 'bare-operator' } as const;

/** One of {@link operators}. */
export type OperatorName = keyof typeof operators;

/** Their names, ours first. */
export const operatorNames = Object.keys(operators) as readonly OperatorName[];

/** Starts an operator in a process of its own. */
export async function startOperator(
  lab: Lab,
  { kubeconfigYaml }: BenchServer,
  { name, objects }: { readonly name: OperatorName; readonly objects: number },
): Promise<Child> {
  const access = await accessOf(kubeconfigYaml);
  const parameters: OperatorParameters = { kubeconfigYaml, access, objects, workers: 16 };
  return startChild(operators[name], parameters, { lab, deadline: 180_000 });
}
