import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Scenario, type Step, withChanges } from '../runner/scenario.ts';

/** Values by path; `(gone)` removes. */
type Changes = Readonly<Record<string, unknown>>;

interface Base {
  readonly path: string;
  readonly body: object;
}

type Row = readonly [base: string, title: string, changes: Changes];

interface Cases {
  readonly bases: Readonly<Record<string, Base>>;
  readonly creates: readonly Row[];
  readonly updates: readonly Row[];
  readonly statuses: readonly (readonly [base: string, title: string, ...statuses: object[]])[];
}

const readCases = (): Cases => parse(readFileSync(join(import.meta.dirname, 'workloads.yaml'), 'utf8'));

const changesOf = (changes: Changes): Changes =>
  Object.fromEntries(Object.entries(changes).map(([path, value]) => [path, value === '(gone)' ? undefined : value]));

/** Writes the original object again, whatever has happened to it since. */
const again = (path: string, set: Changes): Step => ({
  method: 'PUT',
  path,
  from: 0,
  set: { ...set, 'metadata.resourceVersion': undefined },
});

const affinity = (zone: string) => {
  const term = { matchExpressions: [{ key: 'zone', operator: 'In', values: [zone] }] };
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } } };
};

/** Scenarios of a suspended Job's template, which may change before the Job starts, and not after. */
function* waiting({ path, body }: Base): Generator<Scenario> {
  const template = 'spec.template.spec';
  const started = again(`${path}/x/status`, { status: { startTime: '2026-01-02T03:04:05Z' } });
  const selected = again(`${path}/x`, { [`${template}.nodeSelector`]: { a: 'b' } });
  yield { name: 'workloads: suspended Job that had begun', steps: [{ path, body }, started, selected] };
  const placed = withChanges(body, { [`${template}.affinity`]: affinity('a') });
  const moves = [affinity('b'), undefined].map((to) => again(`${path}/x`, { [`${template}.affinity`]: to }));
  yield { name: 'workloads: suspended Job that is placed anew', steps: [{ path, body: placed }, ...moves] };
}

/** Messages of workloads about their own rules, from `workloads.yaml`, including rarely violated ones. */
export function* workloads(): Generator<Scenario> {
  const { bases, creates, updates, statuses } = readCases();
  for (const [base, title, changes] of creates) {
    const { path, body } = bases[base]!;
    const name = `workloads: ${base} with ${title}`;
    yield { name, steps: [{ path, body: withChanges(body, changesOf(changes)) }] };
  }
  for (const [base, title, changes] of updates) {
    const { path, body } = bases[base]!;
    const name = `workloads: ${base} updated: ${title}`;
    yield { name, steps: [{ path, body }, again(`${path}/x`, changesOf(changes))] };
  }
  for (const [base, title, ...all] of statuses) {
    const { path, body } = bases[base]!;
    const name = `workloads: ${base}, status: ${title}`;
    yield { name, steps: [{ path, body }, ...all.map((status) => again(`${path}/x/status`, { status }))] };
  }
  yield* waiting(bases['suspended Job']!);
}
