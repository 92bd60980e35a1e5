/** Seals and signed annotations of tests. */

import { createSeal, encodeMirror, readMirror } from '../../sdk/host/index.ts';
import { type MirrorRecord, mirrorAnnotation, type Workspace } from '../../sdk/index.ts';
import { parseResolution, resolutionText, signedResolution } from '../../sdk/provider/journal/resolution.ts';

/** The seal that all processes of a test share, as they would by the operator's Secret. */
export const aSeal = createSeal('the-cluster', [Buffer.alloc(32, 7)]);

/** Returns the refs in the mirror of a condition. */
export function mirroredRefs(workspace: Workspace, type: string): readonly unknown[] | undefined {
  const mirror = readMirror(aSeal, workspace, type);
  return 'record' in mirror ? mirror.record.refs : undefined;
}

/** Mirror of a condition, as the operator would have written it for this workspace. */
export const sealedMirror = (workspace: Workspace, type: string, more: Partial<MirrorRecord> = {}): string =>
  encodeMirror(aSeal, {
    cluster: aSeal.cluster,
    namespace: workspace.metadata.namespace ?? '',
    name: workspace.metadata.name,
    uid: workspace.metadata.uid ?? '',
    condition: type,
    ...{ token: 1, refs: [], requestMs: 0 },
    ...more,
  })[mirrorAnnotation(type)] ?? '';

/** A person's answer as `sequencer resolve` writes it: ids are signed. */
export function signedText(workspace: Workspace, type: string, answer: string): string {
  const resolution = parseResolution(answer);
  return resolution === undefined ? answer : resolutionText(signedResolution(aSeal, { workspace, type }, resolution));
}
