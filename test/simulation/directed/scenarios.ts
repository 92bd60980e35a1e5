import { pauseTakeoverWipe } from './pause.ts';
import type { Scenario } from './schedule.ts';

/** All scenarios, in the order they run. */
export const scenarios: readonly Scenario[] = [pauseTakeoverWipe];

/** @throws TypeError if there is none of that name */
export function scenarioNamed(name: string): Scenario {
  const found = scenarios.find((one) => one.name === name);
  if (found === undefined)
    throw new TypeError(`--scenario must be one of ${scenarios.map((one) => one.name).join(', ')}; found "${name}"`);
  return found;
}
