import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import { type Played, play } from '../../../examples/models/play.ts';

const models = join(import.meta.dirname, '../../../examples/models');
const reconcilers = globSync('*/reconciler.ts', { cwd: models }).sort();

test('there is an example of each model', (t) => {
  for (const model of ['okt', 'operatorkit']) t.true(reconcilers.includes(join(model, 'reconciler.ts')), model);
});

for (const file of reconcilers)
  test(`the example ${dirname(file)} makes, changes and deletes what a website has`, async (t) => {
    const { reconcilerFor }: { readonly reconcilerFor: Played } = await import(pathToFileURL(join(models, file)).href);
    const lines: string[] = [];
    await play(reconcilerFor, (line) => lines.push(line));
    t.deepEqual(lines, [
      'made: 2 replicas, port 80, DNS shop.default.svc',
      'scaled: 3 replicas, port 80, DNS shop.default.svc',
      'deleted: no replicas, port none, DNS none',
    ]);
  });
