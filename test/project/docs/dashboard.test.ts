import test from 'ava';
import { dashboard } from '../../../.ci/dashboard.ts';
import { unknownIn } from '../../unit/sequencer/cli/manifests/known-metrics.ts';

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly gridPos: { readonly x: number; readonly y: number };
  readonly targets?: readonly { readonly expr: string; readonly refId?: string }[];
}

const { panels } = JSON.parse(dashboard()) as { readonly panels: readonly Panel[] };
const targets = panels.flatMap((panel) => panel.targets ?? []);

test('every metric of the dashboard exists, with the labels that it asks for', (t) => {
  t.true(targets.length > 12);
  t.deepEqual(
    targets.flatMap(({ expr }) => unknownIn(expr)),
    [],
  );
  for (const { expr, refId } of targets) {
    t.regex(expr, /\{job="\$job",namespace="\$namespace"/);
    t.truthy(refId, expr);
  }
});

test('each panel has a number and a place of its own', (t) => {
  t.is(new Set(panels.map(({ id }) => id)).size, panels.length);
  t.is(new Set(panels.map(({ gridPos }) => JSON.stringify([gridPos.x, gridPos.y]))).size, panels.length);
});
