/** Runs the compliance cases of a subject one after the other, and reports each as it ends. */

import { aborted, type Clock, messageOf } from '../../../sdk/index.ts';
import { type Subject, testIntegration } from '../../../test/compliance/index.ts';

/** Environment of a proof. */
export interface ProofOptions {
  /** Runs only the cases with this text in their title. @default all */
  readonly match?: string | undefined;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Ends the proof without waiting for the case under way. */
  readonly signal: AbortSignal;
  print(line: string): void;
}

/** Number of cases by their end. */
export interface ProofResult {
  readonly proved: number;
  readonly failed: number;
  /** Cases that do not apply to this subject, each with the reason. */
  readonly skipped: number;
  /** Title of the case that was under way when the signal aborted. */
  readonly interrupted?: string;
}

type CaseOutcome = 'proved' | 'failed' | 'skipped';

interface ProofCase {
  readonly title: string;
  /** Result; undefined for a case that does not apply to this subject. */
  readonly run?: (context: unknown) => Promise<void>;
}

function casesOf(subject: Subject): readonly ProofCase[] {
  const cases: ProofCase[] = [];
  const note = (title: string, run: (context?: unknown) => Promise<void>): void => void cases.push({ title, run });
  testIntegration(Object.assign(note, { skip: (title: string) => void cases.push({ title }) }), subject);
  return cases;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)}s`;

async function runCase({ title, run }: ProofCase, { clock, print }: ProofOptions): Promise<CaseOutcome> {
  if (run === undefined) {
    print(`  - ${title}`);
    return 'skipped';
  }
  const startedAt = clock.monotonic();
  const state: { why?: string } = {};
  try {
    await run({ skip: (why: string) => void Object.assign(state, { why }) });
  } catch (error) {
    print(`  ✘ ${title} (${seconds(clock.monotonic() - startedAt)})`);
    for (const line of messageOf(error).split('\n')) print(`      ${line}`);
    return 'failed';
  }
  print(
    state.why === undefined
      ? `  ✔ ${title} (${seconds(clock.monotonic() - startedAt)})`
      : `  - ${title} (${state.why})`,
  );
  return state.why === undefined ? 'proved' : 'skipped';
}

/** Runs the cases. @throws TypeError naming the invalid member of the subject */
export async function runProof(subject: Subject, options: ProofOptions): Promise<ProofResult> {
  const counts = { proved: 0, failed: 0, skipped: 0 };
  const cases = casesOf(subject).filter(({ title }) => title.includes(options.match ?? ''));
  const ended = aborted(options.signal);
  for (const one of cases) {
    const outcome = await Promise.race([runCase(one, options), ended]);
    if (outcome === undefined) return { ...counts, interrupted: one.title };
    counts[outcome] += 1;
  }
  return counts;
}
