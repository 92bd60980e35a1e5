/** Reconciler of Website in fixed steps, as in OKT: check, register the desired resources, mutate them, update them. */

import { ConfigMap, copyTemplate, manageError, manageSuccess, type Reconciler, stepper } from 'workspace-sequencer/sdk';
import type { Website } from './website.ts';

/** Manages a ConfigMap of the Website's name with its text. The garbage collector deletes it with its owner. */
export const reconcileWebsite: Reconciler<Website> = stepper<Website>(
  {
    CRChecker({ object, results }) {
      if (object.spec.text.trim() === '')
        results.addGiveupError('CRSemanticError', { error: new Error('spec.text is blank') });
    },
    async ObjectsGetter({ object, resources }) {
      await resources.register({
        kind: ConfigMap,
        name: object.metadata.name,
        mutateWithInitialData: (draft) => copyTemplate(draft, { data: {} }),
        mutateWithCR(draft) {
          draft.data = { text: object.spec.text };
        },
      });
    },
    Mutator: ({ resources }) => resources.mutateAll(),
    Updater: ({ resources }) => resources.createOrUpdateAll(),
    ErrorManager: manageError,
    SuccessManager: manageSuccess,
  },
  { peers: 'stored' },
);
