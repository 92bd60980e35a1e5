import { createSeal, type MirrorRecord, mirrorAnnotation, mirrorText, type Workspace } from '../sdk/index.ts';

/** A seal that all processes of a test share, as they would by the operator's Secret. */
export const aSeal = createSeal('the-cluster', [Buffer.alloc(32, 7)]);

/** The ids that the mirror of a condition holds. */
export function mirroredRefs(workspace: Workspace, type: string): readonly unknown[] | undefined {
  const text = workspace.metadata.annotations?.[mirrorAnnotation(type)];
  return text === undefined ? undefined : (JSON.parse(text) as { readonly refs: readonly unknown[] }).refs;
}

/** The mirror of a condition, as the operator would have written it for this workspace. */
export const sealedMirror = (workspace: Workspace, type: string, more: Partial<MirrorRecord> = {}): string =>
  mirrorText(aSeal, {
    cluster: aSeal.cluster,
    namespace: workspace.metadata.namespace ?? '',
    name: workspace.metadata.name,
    uid: workspace.metadata.uid ?? '',
    condition: type,
    ...{ token: 1, refs: [], requestMs: 0 },
    ...more,
  });
