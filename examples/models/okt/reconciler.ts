/** A website in OKT's model. */

import {
  copyTemplate,
  Deployment,
  finalizer,
  manageError,
  manageSuccess,
  type Reconciler,
  Service,
  stepper,
} from 'workspace-sequencer/sdk';
import { addressOf, type Dns, deploymentOf, serviceOf, type Website, websiteFinalizer } from '../website.ts';

/** Reconciles a website in OKT's steps: check, register the desired resources, mutate them, update them. */
export const reconcilerFor = (dns: Dns): Reconciler<Website> =>
  finalizer(
    websiteFinalizer,
    stepper<Website>(
      {
        CRChecker({ object, results }) {
          if (!object.spec.domain.includes('.'))
            results.addGiveupError('CRSemanticError', { error: new Error(`${object.spec.domain} is not a domain`) });
        },
        async ObjectsGetter({ object, resources }) {
          const { name } = object.metadata;
          await resources.register({
            kind: Deployment,
            name,
            mutateWithInitialData: (draft) => copyTemplate(draft, deploymentOf(object)),
            mutateWithCR(draft) {
              draft.spec!.replicas = object.spec.replicas;
            },
          });
          await resources.register({
            kind: Service,
            name,
            mutateWithInitialData: (draft) => copyTemplate(draft, serviceOf(object)),
          });
        },
        Mutator: ({ resources }) => resources.mutateAll(),
        async Updater({ object, resources, results }) {
          await resources.createOrUpdateAll({ maxCreation: 5 });
          if ((await dns.get(object.spec.domain)) === addressOf(object)) return;
          await dns.put(object.spec.domain, addressOf(object));
          results.addOpSuccess('Created', `record ${object.spec.domain}`);
        },
        CRFinalizer: ({ object }) => dns.drop(object.spec.domain),
        ErrorManager: manageError,
        SuccessManager: manageSuccess,
      },
      { peers: 'stored' },
    ),
  );
