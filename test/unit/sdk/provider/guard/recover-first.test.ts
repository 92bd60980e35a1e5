import test from 'ava';
import { ContractError, type Outcome, type TaskContext } from '../../../../../sdk/index.ts';
import { recoverFirst } from '../../../../../sdk/provider/guard/recover-first.ts';

const integration = { claim: 'se.quencer.io/acme', type: 'DNS' };
const done: Outcome = { status: 'Completed', reason: 'made' };
const context = { key: 'k' } as TaskContext;

/** Runs a task whose attempt is looked for by this first. */
const after = (recover: () => unknown): Promise<Outcome> =>
  recoverFirst(integration, { task: async () => done, options: { recover: recover as never } })(context);

test('what is found is the outcome; undefined has the task run', async (t) => {
  const found: Outcome = { status: 'Completed', reason: 'found', refs: [{ id: 1 }] };
  t.deepEqual(await after(async () => found), found);
  t.deepEqual(await after(async () => undefined), done);
});

for (const answer of [null, false, 'gone', 7, [], { id: 1 }])
  test(`a recover that answers ${JSON.stringify(answer)} is reported by its name, and nothing is run`, async (t) => {
    const error = await t.throwsAsync(
      after(async () => answer),
      { instanceOf: ContractError },
    );
    t.regex(error!.message, /^integration "acme" \(condition DNS\): what recover returned, undefined for nothing: /);
  });

test('what is thrown that is not an error is reported by its name; an error stays itself', async (t) => {
  const throwing = (thrown: unknown) => () => {
    throw thrown;
  };
  await t.throwsAsync(after(throwing('oops')), { message: 'recover threw oops' });
  const own = new Error('HTTP 500');
  t.is(await t.throwsAsync(after(throwing(own))), own);
});
