import test from 'ava';
import { defineIntegration, type Integration } from '../../../../../sdk/index.ts';
import {
  conditionsUsedBy,
  inputsOf,
  readsOf,
  referencesOf,
} from '../../../../../sequencer/engine/plan/declared-inputs.ts';
import { aWorkspace } from '../../../a-workspace.ts';

const web = (members: Partial<Integration>): Integration =>
  defineIntegration({
    name: 'web',
    condition: 'Web',
    handles: () => true,
    connect: () => ({ reconcile: async () => {}, terminate: async () => {} }),
    ...members,
  });
const values = (host: string) => aWorkspace({ status: { outputs: { Database: { values: { host } } } } });

test('inputs change with the outputs that are used, and with what is read, and with nothing else', (t) => {
  const user = web({ references: () => ['Database.host'], reads: ({ metadata }) => metadata.labels });
  t.is(inputsOf(values('db'), user), inputsOf(values('db'), user));
  t.not(inputsOf(values('db'), user), inputsOf(values('other'), user));
  const { metadata } = values('db');
  const labelled = { ...values('db'), metadata: { ...metadata, labels: { tier: 'gold' } } };
  t.not(inputsOf(labelled, user), inputsOf(values('db'), user));
  t.is(inputsOf(values('db'), web({})), '');
});

test('references and reads that fail count as none, for all but who asks for the error', (t) => {
  const failing = web({
    references: () => {
      throw new Error('no such member');
    },
    reads: () => {
      throw new Error('no such label');
    },
  });
  t.deepEqual(conditionsUsedBy(aWorkspace({}), failing), []);
  t.is(readsOf(aWorkspace({}), failing), '');
  t.throws(() => referencesOf(aWorkspace({}), failing), {
    message: /"web".*references must not throw.*no such member/,
  });
});
