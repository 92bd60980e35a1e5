import test from 'ava';
import { codeOf, type Finding, findingLines, findingsJson } from '../../../../../sequencer/cli/doctor/finding.ts';

const ok: Finding = { check: 'clock', status: 'ok', detail: '0 s apart' };
const unknown: Finding = { check: 'rights', status: 'unknown', detail: 'not served' };
const problem: Finding = { check: 'leader', status: 'problem', detail: 'none', next: 'kubectl get pods' };

test('each finding has a line, and below it the step that helps', (t) => {
  t.deepEqual(findingLines([ok, unknown, problem]), [
    '✔ clock   0 s apart',
    '? rights  not served',
    '✘ leader  none',
    '          kubectl get pods',
  ]);
});

test('texts of third parties stay one line, bounded, and do nothing to a terminal', (t) => {
  const [line = ''] = findingLines([{ ...ok, detail: `a\u001b[31m\nb\u202e${'x'.repeat(10_000)}` }]);
  t.notRegex(line, /[\p{Cc}\p{Cf}]/u);
  t.true(line.length < 500);
});

test('only a problem makes the exit code 1', (t) => {
  t.is(codeOf([ok, unknown]), 0);
  t.is(codeOf([ok, problem]), 1);
  t.deepEqual(JSON.parse(findingsJson([ok, problem])), { findings: [ok, problem] });
});
