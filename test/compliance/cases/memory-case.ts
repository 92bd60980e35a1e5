/** Case `memory`: two third parties in one process. */

import { type Case, expectCompleted, expectDeleted, withSecondScenario } from '../scenario/case.ts';
import { inContext } from '../scenario/expected-end.ts';
import { findingOf } from '../scenario/report.ts';
import { Scenario } from '../scenario/scenario.ts';

const likely =
  'something is kept in a module, or in what outlives a run: a new process does not have it, and a running one has it of another workspace; take ids from the arguments and controller.refs, and all else from the third party';

/** Case of state kept in the process: another workspace of the same uid and name starts at another third party. */
export const memoryCase: Case = {
  name: 'memory',
  title: 'remembers nothing that another process would not know',
  lacks: ({ time }) => (time === 'real' ? 'uids differ from scenario to scenario in real time' : undefined),
  prove: (subject) =>
    Scenario.during(subject, async (first) => {
      await first.create(subject.unhandled ?? {}, { name: 'other' });
      await first.create();
      await expectCompleted(first);
      try {
        await withSecondScenario(first, async (second) => {
          await second.create(subject.edited ?? subject.spec, { name: 'other' });
          await second.create();
          for (const name of ['other', 'subject']) await second.comesTo(['Completed', 'Error', 'Unknown'], name);
          await second.delete('other');
          await second.comesTo(['Completed']);
        });
        await inContext('after the same was done at another third party, by the same process', async () => {
          if (subject.edited !== undefined) await first.edit(subject.edited);
          await first.work();
          await expectCompleted(first);
          await first.delete('other');
          await first.comesTo(['Gone'], 'other');
          await expectDeleted(first);
        });
      } catch (error) {
        const finding = findingOf(error);
        finding.likely.add(likely);
        throw finding;
      }
    }),
};
