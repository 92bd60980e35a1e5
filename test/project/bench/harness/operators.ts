/** Starts the operators under measurement. */

import type { Lab } from '../benchmark.ts';
import { type Child, startChild } from './child.ts';
import { type Access, accessOf } from './connect.ts';
import type { BenchServer } from './servers.ts';

/** Parameters of an operator under measurement. */
export interface OperatorParameters {
  readonly kubeconfigYaml: string;
  /** The same server, for an operator without the SDK. */
  readonly access: Access;
  /** Number of objects that must be Ready before it reports; 0: it reports when it is listening. */
  readonly objects: number;
  /** Concurrent objects. */
  readonly workers: number;
}

/** Operators that do the same two writes: one with this SDK, and a minimal Node program. */
export const operators = { 'this SDK': 'operator', 'undici alone': 'bare-operator' } as const;

/** One of {@link operators}. */
export type OperatorName = keyof typeof operators;

/** Their names, that of the SDK first. */
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
