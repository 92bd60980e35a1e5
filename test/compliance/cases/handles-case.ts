/** Case `handles`: purity of the function. */

import { isDeepStrictEqual } from 'node:util';
import { type Integration, messageOf, type Workspace } from '../../../sdk/index.ts';
import { questionsIn, waysOfAsking } from '../resource/pure-functions.ts';
import type { Case } from '../scenario/case.ts';
import { expect, fail } from '../scenario/report.ts';
import { Scenario } from '../scenario/scenario.ts';

const likely =
  'handles is asked about every workspace of the cluster, at every walk: it says by the spec alone whether that asks for the integration, not by the status or what else comes with time; it reads with ?., calls nothing outside, knows no time, and never throws';

/** Returns the workspace as it is later in its life, with the same spec: it was changed, and has all that it asks for. */
function laterOf({ metadata, ...rest }: Workspace, { name, condition }: Integration): Workspace {
  const lastTransitionTime = metadata.creationTimestamp ?? '2026-01-01T00:00:00Z';
  const conditions = [
    { type: condition, status: 'Completed' as const, reason: 'there', lastTransitionTime },
    { type: 'Ready', status: 'True' as const, reason: 'Healthy', lastTransitionTime },
  ];
  return {
    ...rest,
    metadata: { ...metadata, generation: 7, resourceVersion: '123456', finalizers: [`se.quencer.io/${name}`] },
    status: { phase: 'Healthy', observedGeneration: 7, conditions },
  } as Workspace;
}

/** Case of `handles`: it accepts any workspace and depends on the spec alone. */
export const handlesCase: Case = {
  name: 'handles',
  title: 'says by the spec alone which workspaces ask for it',
  prove: (subject) =>
    Scenario.during(subject, async (scenario) => {
      const { workspaces, ask, called } = await questionsIn(scenario);
      for (const workspace of workspaces) {
        const spec = JSON.stringify(workspace.spec);
        const answered = (one: (integration: Integration) => Workspace) =>
          ask((integration) => {
            try {
              return integration.handles(one(integration));
            } catch (error) {
              return fail(`handles throws "${messageOf(error)}" for the spec ${spec}`, likely);
            }
          });
        const { answers, isOne } = answered(() => workspace);
        const [answer] = answers;
        expect(isOne, `handles answers ${answers.join(', then ')} for one spec ${waysOfAsking}: ${spec}`, likely);
        expect(typeof answer === 'boolean', `handles answers ${String(answer)}, which is not a boolean`, likely);
        const later = answered((integration) => laterOf(workspace, integration));
        expect(
          isDeepStrictEqual(later.answers, answers),
          `handles answers ${String(answer)} for a spec, and ${String(later.answers[0])} for the same spec once the workspace is Healthy, with a finalizer and another generation: ${spec}`,
          likely,
        );
        const isSubject = workspace === workspaces[0];
        expect(answer === true || !isSubject, 'handles answers false for the spec of the subject', likely);
      }
      expect(called() === undefined, `handles calls the third party: ${called()}`, likely);
    }),
};
