import test from 'ava';
import { portraitsOf } from './likeness.ts';
import { workloadStories } from './workload-stories.ts';
import { settled, startWorkshops } from './workloads.ts';

const workshops = await startWorkshops();

test.after.always('all of it stops', () => Promise.all(workshops.map(({ close }) => close())));

for (const [index, { title, steps }] of workloadStories.entries()) {
  test.serial(`in memory as with kube-controller-manager: ${title}`, async (t) => {
    const namespace = `story-${index}`;
    for (const { api } of workshops) {
      await api.ask({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: namespace } } });
    }
    for (const [number, step] of steps.entries()) {
      const [ours, theirs] = await Promise.all(
        workshops.map(async (workshop) =>
          portraitsOf(await settled(workshop, namespace, await step(workshop, namespace))),
        ),
      );
      t.deepEqual(ours, theirs, `after step ${number + 1}`);
    }
  });
}
