/** Story of the admission policy of annotations. */

import type { ExecutionContext } from 'ava';
import { type Client, mirrorAnnotation, type NewObject, resolveAnnotation, Workspace } from '../../../../sdk/index.ts';
import { until } from '../../real/until.ts';

/** Clients that write workspaces: the operator's, one with write access only, and one that may also `resolve`. */
export interface Writers {
  readonly operator: Client;
  readonly tenant: Client;
  readonly oncall: Client;
}

const key = { namespace: 'default', name: 'annotated' };
const annotate = (annotations: Readonly<Record<string, string | null>>) =>
  [Workspace, key, { type: 'merge', value: { metadata: { annotations } } }] as const;

const refusal = async (t: ExecutionContext, writing: Promise<unknown>, message: RegExp) =>
  t.regex((await t.throwsAsync(writing))?.message ?? '', message);

/** Checks which writers the policy of annotations refuses; a server takes a moment to enforce a new policy. */
export async function tellOfAnnotations(t: ExecutionContext, { operator, tenant, oncall }: Writers): Promise<void> {
  const [ids, answer] = [mirrorAnnotation('Db'), resolveAnnotation('Db')];
  const copyWith = (annotation: string): NewObject<Workspace> => ({
    metadata: { ...key, annotations: { [annotation]: '[{"id":"db-1"}]' } },
    spec: {},
  });
  const enforced = () =>
    tenant.create(Workspace, copyWith(ids), { dryRun: true }).then(
      () => undefined,
      (error: unknown) => (String(error).includes('only by the sequencer') ? true : undefined),
    );
  await until(enforced, { message: () => 'copies are let through' });
  const creating = tenant.create(Workspace, copyWith(ids));
  await refusal(t, creating, /written only by the sequencer; to copy a workspace, remove them: kubectl get workspace/);
  await tenant.create(Workspace, { metadata: { ...key, annotations: { mine: 'yes' } }, spec: {} });
  await refusal(t, tenant.patch(...annotate({ [ids]: '[]' })), /written only by the sequencer/);
  await operator.patch(...annotate({ [ids]: '[{"id":"db-1"}]' }));
  await tenant.patch(...annotate({ mine: 'no', more: 'too' }));
  await refusal(t, tenant.patch(...annotate({ [ids]: '[]' })), /written only by the sequencer/);
  await refusal(t, tenant.patch(...annotate({ 'external-1.se.quencer.io/Db': '[]' })), /written only by the sequencer/);
  await refusal(t, tenant.patch(...annotate({ [ids]: null })), /removed only by the sequencer/);
  await operator.patch(...annotate({ [ids]: null }));

  await refusal(t, tenant.patch(...annotate({ [answer]: 'adopt@1=db-1' })), /need the verb "resolve"/);
  await oncall.patch(...annotate({ [answer]: 'retry@1' }));
  await tenant.patch(...annotate({ mine: 'again' }));
  await operator.patch(...annotate({ [answer]: null }));
}
