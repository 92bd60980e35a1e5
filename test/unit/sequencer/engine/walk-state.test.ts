import test from 'ava';
import { BusyError, RetryError } from '../../../../sdk/index.ts';
import { recordMoved, reportFailed, type WalkState } from '../../../../sequencer/engine/walk-state.ts';
import { aWorkspace } from '../../a-workspace.ts';

const version = (resourceVersion: string) => {
  const workspace = aWorkspace({});
  return { ...workspace, metadata: { ...workspace.metadata, resourceVersion } };
};

function aPass() {
  const told: string[] = [];
  const events = { event: (...[, , reason, message]: readonly unknown[]) => void told.push(`${reason} ${message}`) };
  const pass = {
    host: { events },
    attempt: 0,
    workspace: version('7'),
    requeues: [],
    errors: [],
  } as unknown as WalkState;
  return { pass, told };
}

test('the newest workspace of several moves counts, with each requeue and error', (t) => {
  const { pass } = aPass();
  recordMoved(pass, { workspace: version('9'), result: { requeueAfter: 5 } });
  const late = new RetryError('slow down', { retryAfter: 3 });
  recordMoved(pass, { workspace: version('8'), error: late });
  recordMoved(pass, { workspace: version('8'), error: new BusyError('at work') });
  t.is(pass.workspace.metadata.resourceVersion, '9');
  t.deepEqual(pass.requeues.slice(0, 2), [5, 3]);
  t.deepEqual(pass.errors, [late]);
});

test('a failure is recorded, and one that is not a refusal causes no event', (t) => {
  const { pass, told } = aPass();
  const error = new Error('no');
  reportFailed(pass, error);
  t.deepEqual([pass.errors, told], [[error], []]);
});
