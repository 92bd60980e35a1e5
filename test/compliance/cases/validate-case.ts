/** Case `validate`: purity of the function. */

import { wrongFieldsIn } from '../../../sdk/host/index.ts';
import { messageOf } from '../../../sdk/index.ts';
import { questionsIn, waysOfAsking } from '../resource/pure-functions.ts';
import type { Case } from '../scenario/case.ts';
import { expect, fail } from '../scenario/report.ts';
import { Scenario } from '../scenario/scenario.ts';

const likely =
  'validate is asked at admission too, while the API server waits: it says by the workspace and the options alone what is wrong, changes nothing of what it is given, makes no calls, knows neither time nor chance, and never throws';

const likelyWrong =
  'validate answers [] where nothing is wrong: what it finds keeps a workspace from Completed, and refuses it at admission; or the spec of the subject is one that the integration does not take';

/** Case of `validate`: it depends on the workspace alone, and accepts the subject's. */
export const validateCase: Case = {
  name: 'validate',
  title: 'says by the workspace alone what is wrong with it',
  prove: (subject) =>
    Scenario.during(subject, async (scenario) => {
      const { workspaces, ask, called } = await questionsIn(scenario);
      let isThere = false;
      for (const workspace of workspaces) {
        const spec = JSON.stringify(workspace.spec);
        const { answers, isOne } = ask((integration) => {
          if (integration.validate === undefined || !integration.handles(workspace)) return undefined;
          isThere = true;
          try {
            return wrongFieldsIn(integration, workspace);
          } catch (error) {
            return fail(`${messageOf(error)}, for the spec ${spec}`, likely);
          }
        });
        const texts = answers.map((answer) => JSON.stringify(answer));
        expect(isOne, `validate answers ${texts.join(', then ')} for one spec ${waysOfAsking}: ${spec}`, likely);
        const isRight = workspace !== workspaces[0] || ['[]', undefined].includes(texts[0]);
        expect(isRight, `validate finds fault with the spec of the subject: ${texts[0]}`, likelyWrong);
      }
      expect(called() === undefined, `validate calls the third party: ${called()}`, likely);
      return isThere ? undefined : 'the integration has no validate';
    }),
};
