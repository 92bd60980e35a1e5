/** Builds the manifest of a preview: the template with its references replaced, and the labels of previews. */

import { Workspace, type WorkspaceSpec } from '../../sdk/index.ts';
import type { PullRequest } from '../code-host/code-host.ts';
import type { PreviewManifest } from './plan.ts';
import { numberLabel, type PreviewSource, repositoryAnnotation, sourceLabel, sourceOf } from './preview-labels.ts';
import { mistakeInReferences, type PreviewTemplate, slugOf, valuesOf, withValues } from './template.ts';

/** Member of `spec.integrations` that says which pull request a Workspace is the preview of, and changes it with each push. */
export const reportMember = 'preview-report';

/** Manifests of the previews of one repository. */
export interface PreviewManifests {
  /** Value of the source label. */
  readonly source: string;
  /** Returns the desired Workspace of a pull request. Pure. */
  of(pull: PullRequest): PreviewManifest;
}

/** Describes a name that no Workspace can have: a DNS label of 63 characters at most, since objects are named by it; undefined for any other. */
export const mistakeInPreviewName = (name: string): string | undefined =>
  /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name)
    ? undefined
    : `its name must be a DNS label, not ${JSON.stringify(name.slice(0, 70))}`;

const sample: PullRequest = {
  number: 123_456,
  isOpen: true,
  sha: '0'.repeat(40),
  branch: 'a'.repeat(255),
  isFork: false,
  labels: [],
  updatedAt: 0,
};

/** Returns the namespace of the previews. */
export const namespaceOf = ({ metadata }: PreviewTemplate): string => metadata?.namespace ?? 'default';

const ownVersion = `${Workspace.group}/${Workspace.version}`;

const mistakeInKind = ({ apiVersion = ownVersion, kind = Workspace.kind }: PreviewTemplate): string | undefined =>
  apiVersion === ownVersion && kind === Workspace.kind
    ? undefined
    : `must be a ${Workspace.kind} of ${ownVersion}, not ${kind} of ${apiVersion}`;

const mistakeInSpec = ({ spec }: PreviewTemplate): string | undefined =>
  typeof spec === 'object' && spec !== null ? undefined : 'must have a spec';

function mistakeInNamespace(template: PreviewTemplate): string | undefined {
  const namespace = namespaceOf(template);
  return mistakeInPreviewName(namespace) && `metadata.namespace must be a DNS label, not ${namespace}`;
}

/** Describes what is wrong with the name of a template; a template without one is right. */
function mistakeInName({ metadata: { name } = {} }: PreviewTemplate): string | undefined {
  if (name === undefined) return undefined;
  if (typeof name !== 'string' || !name.includes('${pr::number}') || name.includes('${pr::sha}'))
    return 'metadata.name must have ${pr::number} in it, and no ${pr::sha}: a pull request has one Workspace for all of its commits';
  const mistake = mistakeInPreviewName(withValues(name, valuesOf('', sample)));
  return mistake && `metadata.name: ${mistake}`;
}

/** Returns what is wrong with a template; undefined when it is right. */
export const mistakeInTemplate = (template: PreviewTemplate): string | undefined =>
  mistakeInKind(template) ??
  mistakeInSpec(template) ??
  mistakeInReferences(template) ??
  mistakeInNamespace(template) ??
  mistakeInName(template);

/** Returns the maker of the manifests of a repository, from a template without mistakes. */
export function previewManifests(template: PreviewTemplate, source: PreviewSource): PreviewManifests {
  const { host, repository } = source;
  const mark = sourceOf(source);
  const { metadata = {} } = template;
  return {
    source: mark,
    of(pull) {
      const replaced = withValues({ metadata, spec: template.spec }, valuesOf(repository, pull));
      const { name = `${slugOf(repository)}-${pull.number}`, labels, annotations } = replaced.metadata;
      const integrations: WorkspaceSpec['integrations'] = {
        ...replaced.spec.integrations,
        [reportMember]: { host, repository, number: pull.number, sha: pull.sha },
      };
      return {
        metadata: {
          name,
          namespace: namespaceOf(template),
          labels: { ...labels, [sourceLabel]: mark, [numberLabel]: `${pull.number}` },
          annotations: { ...annotations, [repositoryAnnotation]: `${host}/${repository}` },
        },
        spec: { ...replaced.spec, integrations },
      };
    },
  };
}
