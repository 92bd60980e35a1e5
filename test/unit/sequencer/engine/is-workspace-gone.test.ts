import test from 'ava';
import { ForbiddenError, NotFoundError } from '../../../../sdk/index.ts';
import { isWorkspaceGone } from '../../../../sequencer/engine/is-workspace-gone.ts';
import { aWorkspace } from '../../a-workspace.ts';

const workspace = aWorkspace({ name: 'shop' });
const own = '/apis/se.quencer.io/v1alpha1/namespaces/default/workspaces/shop';
const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 404 } as const;
const asked = (path: string) => ({ method: 'GET', path, server: 's' });

test('a 404 of the workspace or its status says that it is gone', (t) => {
  for (const path of [own, `${own}/status`, `${own}?fieldManager=x`])
    t.true(isWorkspaceGone(new NotFoundError(status, asked(path)), workspace), path);
});

test('a 404 of another object does not, nor does another answer', (t) => {
  for (const path of [`${own}-2`, own.replace('default', 'other'), '/api/v1/namespaces/default/configmaps/shop'])
    t.false(isWorkspaceGone(new NotFoundError(status, asked(path)), workspace), path);
  t.false(isWorkspaceGone(new ForbiddenError(status, asked(own)), workspace));
  t.false(isWorkspaceGone(new Error('404'), workspace));
});
