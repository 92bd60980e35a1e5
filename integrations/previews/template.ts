/** Templates of previews: Workspaces with references to their pull request, such as `${pr::number}`. */

import { createHash } from 'node:crypto';
import type { WorkspaceSpec } from '../../sdk/index.ts';
import type { PullRequest } from '../code-host/code-host.ts';

/** Workspace of each pull request; its texts may hold `${pr::number}`, `${pr::sha}`, `${pr::branch}` and `${pr::repository}`. */
export interface PreviewTemplate {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: {
    /** A DNS label with `${pr::number}`. @default the repository and the number: `acme-shop-12` */
    readonly name?: string;
    /** @default 'default' */
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: WorkspaceSpec;
}

/** Pull request for templates. */
export type TemplateValues = Readonly<Record<'number' | 'sha' | 'branch' | 'repository', string>>;

/** Longest slug of a branch: with a dot and a name of 22 characters it makes a DNS label and more. */
const maxSlugLength = 40;

/**
 * Returns a text as part of a DNS label: lower case, `-` for all but a-z and 0-9, 40 characters at most, as GitLab's CI_COMMIT_REF_SLUG. A text without
 * any such character becomes a digest of it. Different texts may have one slug. Takes time linear in the first 255 characters.
 */
export function slugOf(text: string): string {
  const letters = text
    .slice(0, 255)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  const slug = letters.replace(/^-/, '').slice(0, maxSlugLength).replace(/-$/, '');
  return slug === '' ? createHash('sha256').update(text).digest('hex').slice(0, 12) : slug;
}

/** Returns the values of references. Untrusted texts are included as slugs only. */
export const valuesOf = (repository: string, { number, sha, branch }: PullRequest): TemplateValues => ({
  number: `${number}`,
  sha,
  branch: slugOf(branch),
  repository,
});

/** Matches a reference, or an unclosed one up to the end of the text. Takes linear time: a match is never looked at again. */
const pattern = /\$\{pr::([^}]*)(\}?)/g;
const names: readonly string[] = ['number', 'sha', 'branch', 'repository'] satisfies readonly (keyof TemplateValues)[];

/** Text in a JSON value with its path; `isKey` for the name of a member. */
interface PlacedText {
  readonly path: string;
  readonly text: string;
  readonly isKey: boolean;
}

function memberPath(parent: object, path: string, name: string): string {
  if (Array.isArray(parent)) return `${path}[${name}]`;
  return path === '' ? name : `${path}.${name}`;
}

function textsIn(root: unknown): readonly PlacedText[] {
  const texts: PlacedText[] = [];
  const open: { readonly path: string; readonly value: unknown }[] = [{ path: '', value: root }];
  for (const { path, value } of open) {
    if (typeof value === 'string') texts.push({ path, text: value, isKey: false });
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, member] of Object.entries(value)) {
      const at = memberPath(value, path, name);
      if (!Array.isArray(value)) texts.push({ path: at, text: name, isKey: true });
      open.push({ path: at, value: member });
    }
  }
  return texts;
}

function mistakeInText({ path, text, isKey }: PlacedText): string | undefined {
  for (const [whole, name = '', end] of text.matchAll(pattern)) {
    const excerpt = whole.slice(0, 60);
    if (isKey) return `${path.slice(0, 200)}: ${excerpt} is in the name of a member, where nothing is replaced`;
    if (end === '' || !names.includes(name))
      return `${path.slice(0, 200)}: ${excerpt} is not a reference; there are ${names.map((one) => `\${pr::${one}}`).join(', ')}`;
  }
  return undefined;
}

/** Describes the first mistake in the references of a JSON value, with its path; undefined when all are right. */
export const mistakeInReferences = (value: unknown): string | undefined =>
  textsIn(value)
    .map(mistakeInText)
    .find((mistake) => mistake !== undefined);

/** Returns a JSON value with the references in its strings replaced, in one pass; names of members are kept. */
export function withValues<T>(value: T, values: TemplateValues): T {
  if (typeof value === 'string')
    return value.replaceAll(pattern, (whole, name: string) =>
      names.includes(name) ? values[name as keyof TemplateValues] : whole,
    ) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withValues<unknown>(item, values)) as T;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withValues(member, values)])) as T;
}
