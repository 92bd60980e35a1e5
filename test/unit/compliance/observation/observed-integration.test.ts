import test from 'ava';
import { defineIntegration, type ProviderController, type Workspace } from '../../../../sdk/index.ts';
import { Coverage } from '../../../compliance/observation/coverage.ts';
import { Observations } from '../../../compliance/observation/observations.ts';
import { observedIntegration } from '../../../compliance/observation/observed-integration.ts';

const looksAgain = async () => ({ requeueAfter: 5_000 });
const controller = { ensure: looksAgain, destroy: looksAgain } as unknown as ProviderController;

/** Connects two workspaces to one integration whose `terminate` waits, and whose `reconcile` returns, or drops, what `ensure` answers. */
async function aPair(returns: boolean) {
  const gate = Promise.withResolvers<void>();
  const record = new Observations(new Coverage());
  const integration = observedIntegration(
    defineIntegration({
      name: 'box',
      condition: 'Box',
      handles: () => true,
      connect: (given) => ({
        async reconcile() {
          const result = await given.controller.ensure({ label: 'box' } as never, {});
          return returns ? result : undefined;
        },
        terminate: () => gate.promise,
      }),
    }),
    record,
  );
  const workspace = {} as Workspace;
  const [ending, other] = await Promise.all([1, 2].map(() => integration.connect({ workspace, controller })));
  return { record, ending: ending!, other: other!, open: gate.resolve };
}

test('a workspace that ends is not blamed for what another one looks at meanwhile', async (t) => {
  const { record, ending, other, open } = await aPair(true);
  const withCompleted = ending.terminate();
  await other.reconcile({} as never);
  open();
  await withCompleted;
  t.deepEqual([...record.mistakes], []);
});

test('what ensure answers and reconcile drops is reported, though another one ends meanwhile', async (t) => {
  const { record, ending, other, open } = await aPair(false);
  const withCompleted = ending.terminate();
  await other.reconcile({} as never);
  open();
  await withCompleted;
  t.is(record.mistakes.size, 1);
  t.regex([...record.mistakes][0]!, /^reconcile does not return what ensure answers/);
});
