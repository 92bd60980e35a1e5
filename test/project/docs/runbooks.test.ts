import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { createMetrics } from '../../../sdk/metrics/index.ts';
import { alerts } from '../../../sequencer/cli/manifests/alerts.ts';
import { blocksOf } from './examples/blocks.ts';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/runbooks.md'), 'utf8');
const [about = '', ...sections] = page.split(/^## /m);
const nameOf = (section: string): string => section.slice(0, section.indexOf('\n'));
const source = globSync('{sdk,sequencer,integrations}/**/*.ts', { cwd: root })
  .map((path) => readFileSync(join(root, path), 'utf8'))
  .join('\n');
/** Texts in backticks outside of blocks. */
const quoted = [...page.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);

test('each alert has a runbook with commands and steps, and each runbook an alert', (t) => {
  const names = alerts('').map(({ alert }) => alert);
  t.deepEqual(sections.map(nameOf).toSorted(), names.toSorted());
  for (const section of sections) {
    t.true(
      blocksOf(section).some(({ language }) => language === 'sh'),
      nameOf(section),
    );
    t.regex(section, /^1\. /m, nameOf(section));
  }
  for (const name of about.match(/Sequencer[A-Z]\w+/g) ?? []) t.true(names.includes(name), name);
});

test('reasons of events that a runbook asks for are those that the operator gives', (t) => {
  const reasons = [...page.matchAll(/reason=(\w+)/g)].map(([, reason = '']) => reason);
  t.true(reasons.length >= 4);
  for (const reason of reasons) t.true(source.includes(`'Warning', '${reason}'`), reason);
});

test('metrics that a runbook names are served', (t) => {
  const served = createMetrics({ process: true })
    .registry.getMetricsAsArray()
    .map(({ name }) => name);
  const named = quoted.filter((text) => /^[a-z]+(_[a-z]+)+$/.test(text));
  t.true(named.length >= 2);
  for (const name of named) t.true(served.includes(name), name);
});

test('words that a runbook looks for in logs, conditions and findings are said by the operator', (t) => {
  for (const text of ['leading', 'changed outside', 'circuit breaker open', 'cannot be used']) {
    t.true(quoted.includes(text), text);
    t.true(source.includes(text), text);
  }
  for (const code of page.match(/E#\d{4}/g) ?? []) t.true(source.includes(`'${code}'`), code);
});
