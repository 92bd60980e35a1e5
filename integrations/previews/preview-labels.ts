/** Labels and annotations of the Workspaces of previews. */

import { createHash } from 'node:crypto';
import { canonicalJson, type Workspace } from '../../sdk/index.ts';

/** Domain of the labels and annotations. */
const domain = 'previews.se.quencer.io';
/** Label: digest of the code host and the repository. */
export const sourceLabel = `${domain}/source`;
/** Label: number of the pull request. */
export const numberLabel = `${domain}/number`;
/** Annotation: code host and repository, for people. */
export const repositoryAnnotation = `${domain}/repository`;
/** Annotation: digest of the manifest that was applied last. */
export const appliedManifestAnnotation = `${domain}/manifest`;

/** Repository at a code host. */
export interface PreviewSource {
  /** Authority of the host. */
  readonly host: string;
  /** `owner/name` in lower case. */
  readonly repository: string;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Returns the value of the source label: 40 hexadecimal digits. */
export const sourceOf = ({ host, repository }: PreviewSource): string => sha256(`${host}/${repository}`).slice(0, 40);

/** Returns the digest by which a changed manifest is noticed. */
export const manifestDigest = (manifest: object): string => sha256(canonicalJson(manifest)).slice(0, 40);

/** Returns the number of the pull request of a preview; undefined for Workspaces of other sources. */
export function numberOf({ metadata }: Workspace, source: string): number | undefined {
  const { [sourceLabel]: marked, [numberLabel]: number = '' } = metadata.labels ?? {};
  return marked === source && /^[1-9]\d{0,14}$/.test(number) ? Number(number) : undefined;
}
