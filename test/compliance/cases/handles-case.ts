/** Case `handles`: purity of the function. */

import { messageOf } from '../../../sdk/index.ts';
import { questionsIn, waysOfAsking } from '../resource/pure-functions.ts';
import type { Case } from '../scenario/case.ts';
import { expect, fail } from '../scenario/report.ts';
import { Scenario } from '../scenario/scenario.ts';

const likely =
  'handles is asked about every workspace of the cluster, at every walk: it says by the spec alone whether that asks for the integration; it reads with ?., calls nothing outside, knows no time, and never throws';

/** Case of `handles`: it accepts any workspace and depends on the spec alone. */
export const handlesCase: Case = {
  name: 'handles',
  title: 'says by the spec alone which workspaces ask for it',
  prove: (subject) =>
    Scenario.during(subject, async (scenario) => {
      const { workspaces, ask, called } = await questionsIn(scenario);
      for (const workspace of workspaces) {
        const spec = JSON.stringify(workspace.spec);
        const { answers, isOne } = ask(({ handles }) => {
          try {
            return handles(workspace);
          } catch (error) {
            return fail(`handles throws "${messageOf(error)}" for the spec ${spec}`, likely);
          }
        });
        const [answer] = answers;
        expect(isOne, `handles answers ${answers.join(', then ')} for one spec ${waysOfAsking}: ${spec}`, likely);
        expect(typeof answer === 'boolean', `handles answers ${String(answer)}, which is no boolean`, likely);
        const isSubject = workspace === workspaces[0];
        expect(answer === true || !isSubject, 'handles answers false for the spec of the subject', likely);
      }
      expect(called() === undefined, `handles calls the third party: ${called()}`, likely);
    }),
};
